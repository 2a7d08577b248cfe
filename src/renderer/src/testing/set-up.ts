import { configure } from '@testing-library/svelte';

// Decides only when a test that waits for what never comes is reported: alone it takes milliseconds, on a busy machine seconds.
configure({ asyncUtilTimeout: 60_000 });

// The document of the tests has no popovers. Shown or not is told by an attribute.
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement) {
    this.setAttribute('data-shown', '');
  },
  hidePopover(this: HTMLElement) {
    this.removeAttribute('data-shown');
  },
});
