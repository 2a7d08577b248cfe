/**
 * Whether a press on something, or the focus there, closes an open menu or popover: not inside of it, and not on the button
 * that is expanded, whose click closes it.
 */
export function isElsewhere(target: EventTarget | null, opened: HTMLElement | null): boolean {
  if (!(target instanceof Element)) return true;
  const isOpener = target.closest('[aria-haspopup][aria-expanded="true"]') !== null;
  return !isOpener && opened?.contains(target) !== true;
}
