/** Focuses an element, also one that is no stop of the Tab key, nor becomes one. Whether it could: not if it is hidden or inert. */
export function focusOn(at: HTMLElement): boolean {
  at.focus();
  if (document.activeElement === at) return true;
  at.tabIndex = -1;
  at.focus();
  const isFocused = document.activeElement === at;
  if (isFocused) at.addEventListener('blur', () => at.removeAttribute('tabindex'), { once: true });
  else at.removeAttribute('tabindex');
  return isFocused;
}
