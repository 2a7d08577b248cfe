import type { Attachment } from 'svelte/attachments';

/** Open modal dialogs, the topmost last. Everything outside of that one is inert: not drawn above it, read out or clicked. */
const modals: HTMLDialogElement[] = [];
/** What stays within reach whatever is open, and where it is while no modal is. */
let kept: { element: HTMLElement; home: HTMLElement } | null = null;

/** Opens a dialog as a modal; the returned function closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  modals.push(dialog);
  keepWithinReach();
  return () => {
    modals.splice(modals.indexOf(dialog), 1);
    keepWithinReach();
    dialog.close();
  };
}

/** Keeps the only child of an element drawn above everything and, as a part of the topmost modal, within reach. */
export const withinReach: Attachment<HTMLElement> = (home) => {
  const element = home.firstElementChild;
  if (!(element instanceof HTMLElement)) return undefined;
  kept = { element, home };
  element.popover = 'manual';
  keepWithinReach();
  return () => {
    kept = null;
    element.remove();
  };
};

function keepWithinReach(): void {
  if (kept === null) return;
  // A popover that moves is closed, and is above the dialog when it opens again.
  (modals.at(-1) ?? kept.home).append(kept.element);
  kept.element.showPopover();
}
