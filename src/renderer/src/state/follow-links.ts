import type { AppLink } from '../../../shared/app-link.ts';
import { everything } from '../../../shared/activity/filter.ts';
import { Turns } from '../../../shared/turns.ts';
import { call, listen } from '../bridge.ts';
import type { DialogRequest } from './navigation.svelte.ts';
import { storedRow } from './stored-row.ts';
import type { WindowState } from './window.ts';

type Around = Pick<WindowState, 'app' | 'navigation' | 'messages'>;

/** Follows links from other programs; returns a function that stops this. */
export function followLinks(around: Around): () => void {
  // One after the other, so that the newest is what stays.
  const turns = new Turns();
  const take = () =>
    void turns.take(async () => {
      const taken = await call('app.takeLink');
      // A failed call is in the log, and there is nowhere to go.
      if (!taken.ok || taken.value === null) return;
      await goToLink(taken.value, around);
      uncover(around);
    });
  take();
  return listen('link.waiting', take);
}

const showsOnly: ReadonlySet<DialogRequest['kind']> = new Set(['palette', 'shortcuts', 'names']);

/** Of what covers the place, only a form stays, as something may have been typed there. */
function uncover({ navigation, messages }: Around): void {
  const { dialog } = navigation;
  if (dialog === null) return;
  if (showsOnly.has(dialog.kind)) navigation.closeDialog();
  else messages.done('Close this dialog to see what the link opened.');
}

function goToLink(link: AppLink, around: Around): void | Promise<void> {
  const { app, navigation, messages } = around;
  const notFound = (message: string) => messages.error({ code: 'not-found', message });
  switch (link.view) {
    case 'address':
      return goToNamed(link.address, null, around);
    case 'transaction':
      return goToTransaction(link, around);
    case 'filtered':
      return navigation.goToActivity(link.filter);
    case 'node':
      if (app.node(link.nodeId) !== null) return navigation.goToNode(link.nodeId);
      navigation.go('nodes');
      return notFound('This link is for a node that you aren’t watching.');
    case 'incidents':
      return navigation.goToIncidents(null);
    case 'incident':
      return goToIncident(link, around);
    case 'no-incident':
      navigation.goToIncidents(null);
      return notFound('This link doesn’t point to an incident.');
    case 'explore':
      return navigation.goToExplore(link.form);
    default:
      return navigation.go(link.view);
  }
}

/** An incident that is not there leads to the list of all, with a message. */
async function goToIncident(
  { nodeId, id, among }: Extract<AppLink, { view: 'incident' }>,
  { navigation, messages }: Around,
): Promise<void> {
  const found = await messages.report(call('incidents.find', { nodeId, id }));
  if (found === null || among === 'all') return navigation.goToIncidents(found?.value ?? null);
  navigation.goToNode(nodeId);
  navigation.incident = found.value;
}

/** A stored transaction is opened in the timeline; another one goes to the lookup form. */
async function goToTransaction(
  { chainId, txHash }: Extract<AppLink, { view: 'transaction' }>,
  around: Around,
): Promise<void> {
  const stored = await storedRow({ chainId, txHash, rowId: null });
  if (!stored.ok || stored.value === null) return goToNamed(txHash, chainId, around);
  around.navigation.goToActivity({ ...everything, text: txHash, showHidden: true });
  around.navigation.opened = stored.value;
}

/**
 * Opens what has this address or hash. A stranger may have chosen it, so unless it is watched it goes to a form, where the
 * user decides whether to send the request.
 */
export function goToNamed(
  text: string,
  chainId: string | null,
  { app, navigation }: Omit<Around, 'messages'>,
): void {
  if (app.watched(text) !== null) return navigation.goToAddress(text);
  navigation.go('activity');
  navigation.lookUp({ kind: 'form', text, chainId });
}
