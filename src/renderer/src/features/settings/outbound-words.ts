import type { OutboundKind } from '../../../../shared/outbound.ts';

/** What each kind of request is for, and what it reveals. */
export const outboundWords: Readonly<Record<OutboundKind, readonly [purpose: string, reveals: string]>> = {
  data: [
    'Histories of your addresses, and what you look up.',
    'your addresses, what you look up and when, your IP address, and your API key, if you set one',
  ],
  metrics: [
    'Metrics of chains and networks, when you ask for them in Explore.',
    'what you ask for and when, your IP address, and your API key, if you set one',
  ],
  nodes: [
    'The health of your nodes. A paused node is polled only when you ask.',
    'your IP address, the subnets and extra headers that you entered, and the fact that you watch the node',
  ],
  trial: [
    'Sent only while you use “Test” in a node’s form or “Search this computer”.',
    'your IP address, and the extra headers in the form',
  ],
  network: [
    'When several nodes stop answering at once, the app connects to the service, without sending a request, to see whether the nodes or your network failed. Off while chain data is off.',
    'your IP address',
  ],
  proxy: [
    'Passes on requests to hosts outside your own network. Set in Network above. A PAC file that the system names is fetched too, but not counted here.',
    'your IP address, the names of the hosts, and everything in unencrypted requests (http://)',
  ],
  links: [
    'A link that you click is opened in your browser.',
    'the page’s URL to the browser and the site; it may name a transaction or an address',
  ],
  webhook: [
    'Alerts, sent to the webhook URL in Alerts above.',
    'your IP address and the alerts; they contain amounts and the names of nodes and addresses, unless you hide amounts and labels',
  ],
  heartbeat: [
    'One request a minute while polling works, to the heartbeat URL in Alerts above.',
    'your IP address, and the times at which the app polls',
  ],
  updates: [
    'Checks for a newer version of the app, and its download. See Updates above.',
    'your IP address, your operating system, and that you use this app',
  ],
};
