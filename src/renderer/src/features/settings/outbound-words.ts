import type { OutboundKind } from '../../../../shared/outbound.ts';

/** What each kind of request is for, and what it reveals. */
export const outboundWords: Readonly<Record<OutboundKind, readonly [purpose: string, reveals: string]>> = {
  data: [
    'The history of your addresses and what you look up.',
    'your addresses, what you look up and when, your IP address, and your API key, if you set one',
  ],
  metrics: [
    'Chain and network metrics that you query in Explore.',
    'what you query and when, your IP address, and your API key, if you set one',
  ],
  nodes: [
    'The health of your nodes. The app polls a paused node only when you ask.',
    'your IP address, the subnets and extra headers that you entered, and that you watch the node',
  ],
  trial: [
    'Sent only when you use “Test” in a node’s form or “Search this computer”.',
    'your IP address and the extra headers in the form',
  ],
  network: [
    'When several nodes stop responding at once, the app connects to the service, without sending a request, to see whether the nodes or your network failed. Off while requests for chain data are off.',
    'your IP address',
  ],
  proxy: [
    'Forwards requests to hosts outside your own network. Set the proxy in the Network section above. If the system uses a PAC file, the app fetches it too but doesn’t count it here.',
    'your IP address, the names of the hosts, and everything in unencrypted requests (http://)',
  ],
  links: [
    'Opens links in your browser when you click them.',
    'the page’s URL, which may include a transaction hash or an address, to the browser and the site',
  ],
  webhook: [
    'Alerts, sent to the webhook URL you set in the Alerts section above.',
    'your IP address and the alerts, which contain amounts and the names of nodes and addresses unless you hide amounts and labels',
  ],
  heartbeat: [
    'One request a minute while polling works, to the heartbeat URL you set in the Alerts section above.',
    'your IP address, and when the app polls',
  ],
  updates: [
    'Checks for newer versions of the app and downloads them. See the Updates section above.',
    'your IP address, your operating system, and that you use this app',
  ],
};
