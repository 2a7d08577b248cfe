import type { AppLink } from '../../../shared/app-link.ts';
import { call, listen } from '../bridge.ts';
import type { AppState } from './app.svelte.ts';
import { filterFor } from './filter-choice.ts';
import type { Navigation } from './navigation.svelte.ts';

/** Goes where links of other programs lead, for as long as the window is there; returns the function that ends it. */
export function followLinks(app: AppState, navigation: Navigation): () => void {
  const take = async () => {
    const taken = await call('app.takeLink');
    // A call that failed is in the log; there is nowhere to go then.
    if (taken.ok && taken.value !== null) goToLink(taken.value, app, navigation);
  };
  void take();
  return listen('link.waiting', () => void take());
}

/**
 * A link only goes somewhere. What it names may be a stranger's choice, so an address that is not watched and a transaction
 * are put in the form that looks them up: the user decides there whether the service is asked.
 */
function goToLink(link: AppLink, app: AppState, navigation: Navigation): void {
  if (link.view === 'address' && app.watched(link.address) !== null) {
    navigation.goToActivity(filterFor({ address: link.address, chainId: null }));
  } else if (link.view === 'address') {
    navigation.go('activity');
    navigation.open({ kind: 'lookup', subject: { kind: 'form', text: link.address, chainId: null } });
  } else if (link.view === 'transaction') {
    navigation.go('activity');
    const { txHash: text, chainId } = link;
    navigation.open({ kind: 'lookup', subject: { kind: 'form', text, chainId } });
  } else navigation.go(link.view);
}
