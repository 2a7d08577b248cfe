import { configure } from '@testing-library/svelte';
import { afterAll, beforeEach } from 'vitest';
import { setTimeZone } from '../ui/text/notation.svelte.ts';

// Only limits when a hanging test is reported: waits take milliseconds, on a busy machine seconds.
configure({ asyncUtilTimeout: 60_000 });

// The tests' document has no popovers; an attribute stands for being shown.
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement) {
    this.setAttribute('data-shown', '');
  },
  hidePopover(this: HTMLElement) {
    this.removeAttribute('data-shown');
  },
});

// The zone of all tests that choose none, whatever that of the computer.
beforeEach(() => setTimeZone('utc'));

// The files of a run share one page, so what one leaves there would be found by the next.
afterAll(() => {
  const left = document.body.innerHTML;
  document.body.replaceChildren();
  if (left !== '') throw new Error(`Left in the page by a test: ${left.slice(0, 300)}`);
});
