import { configure } from '@testing-library/svelte';

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
