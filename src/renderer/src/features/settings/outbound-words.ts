import type { OutboundKind } from '../../../../shared/outbound.ts';

/** What each kind of request is for, and what it reveals. */
export const outboundWords: Readonly<Record<OutboundKind, { purpose: string; reveals: string }>> = {
  data: {
    purpose: 'Histories of your addresses, and what you look up.',
    reveals: 'these addresses and when you ask for them, your IP address and, with a key, whose it is',
  },
  metrics: {
    purpose: 'Figures of chains and networks that you ask for in Explore.',
    reveals: 'what you ask for and when, your IP address and, with a key, whose it is',
  },
  nodes: {
    purpose: 'The health of your nodes. One that is paused is asked only when you ask for it.',
    reveals: 'your IP address, that somebody watches the node, and the extra headers that you gave for it',
  },
  trial: {
    purpose: 'Test in the form of a node, and Look on this computer: only while that runs.',
    reveals: 'your IP address, and the extra headers in the form',
  },
  network: {
    purpose:
      'A connection to the service, without a request, when several nodes fall silent together: is it they, or the network here? Ends with chain data.',
    reveals: 'your IP address',
  },
  links: {
    purpose: 'Links that you click open in your browser, which goes on by its own rules.',
    reveals: 'to the browser and the site, the address of the page: it may name a transaction or an address',
  },
  updates: {
    purpose:
      'Whether there is a newer version of the app, and its package. The setting is above, at Updates.',
    reveals: 'your IP address, that you use this app, and on which system',
  },
};
