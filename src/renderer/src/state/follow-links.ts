import type { AppLink } from '../../../shared/app-link.ts';
import { everything } from '../../../shared/activity/filter.ts';
import { Turns } from '../../../shared/turns.ts';
import { call, listen } from '../bridge.ts';
import type { AppState } from './app.svelte.ts';
import type { Messages } from './messages.svelte.ts';
import type { DialogRequest, Navigation } from './navigation.svelte.ts';
import { storedRow } from './stored-row.ts';

/** Follows links from other programs; returns a function that stops this. */
export function followLinks(app: AppState, navigation: Navigation, messages: Messages): () => void {
  // One after the other, so that the newest is what stays.
  const turns = new Turns();
  const take = () =>
    void turns.take(async () => {
      const taken = await call('app.takeLink');
      // A failed call is in the log, and there is nowhere to go.
      if (!taken.ok || taken.value === null) return;
      await goToLink(taken.value, app, navigation, messages);
      uncover(navigation, messages);
    });
  take();
  return listen('link.waiting', take);
}

const showsOnly: ReadonlySet<DialogRequest['kind']> = new Set(['palette', 'shortcuts', 'names']);

/** Of what covers the place, only a form stays, as something may have been typed there. */
function uncover(navigation: Navigation, messages: Messages): void {
  const { dialog } = navigation;
  if (dialog === null) return;
  if (showsOnly.has(dialog.kind)) navigation.closeDialog();
  else messages.done('The link is open behind this dialog.');
}

async function goToLink(
  link: AppLink,
  app: AppState,
  navigation: Navigation,
  messages: Messages,
): Promise<void> {
  switch (link.view) {
    case 'address':
      goToNamed(link.address, null, app, navigation);
      break;
    case 'transaction':
      await goToTransaction(link.chainId, link.txHash, app, navigation);
      break;
    case 'filtered':
      navigation.goToActivity(link.filter);
      break;
    case 'node':
      if (app.node(link.nodeId) !== null) navigation.goToNode(link.nodeId);
      else {
        navigation.go('nodes');
        messages.error({ code: 'not-found', message: 'This link is about a node that you don’t watch.' });
      }
      break;
    case 'incidents':
      navigation.goToIncidents(null);
      break;
    case 'incident':
      await goToIncident(link, navigation, messages);
      break;
    case 'no-incident':
      navigation.goToIncidents(null);
      messages.error({ code: 'not-found', message: 'The link does not name an incident.' });
      break;
    case 'explore':
      navigation.goToExplore(link.form);
      break;
    default:
      navigation.go(link.view);
  }
}

/** An incident that is not there leads to the list of all, with a message. */
async function goToIncident(
  { nodeId, id, among }: Extract<AppLink, { view: 'incident' }>,
  navigation: Navigation,
  messages: Messages,
): Promise<void> {
  const found = await messages.report(call('incidents.find', { nodeId, id }));
  if (found === null || among === 'all') return navigation.goToIncidents(found?.value ?? null);
  navigation.goToNode(nodeId);
  navigation.incident = found.value;
}

/** A stored transaction is opened in the timeline; another one goes to the lookup form. */
async function goToTransaction(
  chainId: string,
  txHash: string,
  app: AppState,
  navigation: Navigation,
): Promise<void> {
  const stored = await storedRow({ chainId, txHash, rowId: null });
  if (!stored.ok || stored.value === null) return goToNamed(txHash, chainId, app, navigation);
  navigation.goToActivity({ ...everything, text: txHash, showHidden: true });
  navigation.opened = stored.value;
}

/**
 * Opens what has this address or hash. A stranger may have chosen it, so unless it is watched it goes to a form, where the
 * user decides whether to send the request.
 */
export function goToNamed(text: string, chainId: string | null, app: AppState, navigation: Navigation): void {
  if (app.watched(text) !== null) {
    navigation.goToAddress(text);
  } else {
    navigation.go('activity');
    navigation.lookUp({ kind: 'form', text, chainId });
  }
}
