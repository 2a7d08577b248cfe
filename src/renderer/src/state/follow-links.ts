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

function goToLink(link: AppLink, app: AppState, navigation: Navigation): void {
  if (link.view === 'address') goToNamed(link.address, null, app, navigation);
  else if (link.view === 'transaction') goToNamed(link.txHash, link.chainId, app, navigation);
  else navigation.go(link.view);
}

/**
 * Goes to what has this address or hash. Strangers may have chosen it: what is not watched goes to a form, where the user
 * decides whether to ask for it.
 */
export function goToNamed(text: string, chainId: string | null, app: AppState, navigation: Navigation): void {
  if (app.watched(text) !== null) {
    navigation.goToActivity(filterFor({ address: text, chainId: null }));
  } else {
    navigation.go('activity');
    navigation.open({ kind: 'lookup', subject: { kind: 'form', text, chainId } });
  }
}
