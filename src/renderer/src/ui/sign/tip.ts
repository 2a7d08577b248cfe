import { shown } from '../../../../shared/text.ts';
import type { Attachment } from 'svelte/attachments';

/** The one bubble of the window. It lives in the top layer, so that it shows above dialogs too. */
let bubble: HTMLElement | null = null;
let owner: HTMLElement | null = null;

function show(element: HTMLElement, text: string): void {
  if (bubble === null) {
    bubble = document.createElement('div');
    bubble.className = 'tip-bubble';
    bubble.popover = 'manual';
    // Read out as the element's description; the bubble itself would be said twice.
    bubble.ariaHidden = 'true';
    document.body.append(bubble);
  }
  owner = element;
  bubble.textContent = String(shown(text));
  bubble.showPopover();
  const at = element.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const room = document.documentElement;
  const left = Math.min(
    Math.max(8, at.left + at.width / 2 - size.width / 2),
    room.clientWidth - size.width - 8,
  );
  const below = at.bottom + 6;
  const fitsBelow = below + size.height + 8 <= room.clientHeight;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${fitsBelow ? below : at.top - size.height - 6}px`;
}

function hide(element: HTMLElement): void {
  if (owner !== element || bubble === null) return;
  bubble.hidePopover();
  owner = null;
}

/**
 * Words that explain an element on hover and keyboard focus. They are read out as its description; `spoken` replaces
 * them there, with null where the element's name says the same already. Null for `text`: nothing to explain.
 */
export function tip(text: string | null, spoken: string | null = text): Attachment<HTMLElement> {
  return (element) => {
    if (text === null || text === '') return undefined;
    if (spoken !== null) element.setAttribute('aria-description', String(shown(spoken)));
    const onEnter = () => show(element, text);
    const onFocus = () => {
      if (element.matches(':focus-visible')) show(element, text);
    };
    const onLeave = () => hide(element);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide(element);
    };
    element.addEventListener('pointerenter', onEnter);
    element.addEventListener('pointerleave', onLeave);
    element.addEventListener('pointerdown', onLeave);
    element.addEventListener('focus', onFocus);
    element.addEventListener('blur', onLeave);
    element.addEventListener('keydown', onKey);
    return () => {
      hide(element);
      element.removeAttribute('aria-description');
      element.removeEventListener('pointerenter', onEnter);
      element.removeEventListener('pointerleave', onLeave);
      element.removeEventListener('pointerdown', onLeave);
      element.removeEventListener('focus', onFocus);
      element.removeEventListener('blur', onLeave);
      element.removeEventListener('keydown', onKey);
    };
  };
}

/** Rows that scroll by under a resting pointer are not pointed at. */
const restMs = 150;

/**
 * The same bubble for whatever carries `data-tip` inside of an element, once the pointer rests on it: one listener for a
 * long list. The words have to be in the markup in some other way for those who do not see the bubble.
 */
export const tipsWithin: Attachment<HTMLElement> = (element) => {
  let over: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    clearTimeout(timer);
    if (over !== null) hide(over);
    over = null;
  };
  const onOver = (event: PointerEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
    if (target === over) return;
    leave();
    const text = target?.dataset['tip'];
    if (target === null || text === undefined || text === '') return;
    over = target;
    timer = setTimeout(() => show(target, text), restMs);
  };
  element.addEventListener('pointerover', onOver, { passive: true });
  element.addEventListener('pointerleave', leave, { passive: true });
  element.addEventListener('pointerdown', leave, { passive: true });
  element.addEventListener('scroll', leave, { passive: true });
  return () => {
    leave();
    element.removeEventListener('pointerover', onOver);
    element.removeEventListener('pointerleave', leave);
    element.removeEventListener('pointerdown', leave);
    element.removeEventListener('scroll', leave);
  };
};
