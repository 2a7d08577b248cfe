import { orAdd } from '../../../../shared/or-add.ts';
import { Recent } from '../../../../shared/recent.ts';
import { shown } from '../../../../shared/text.ts';
import type { Attachment } from 'svelte/attachments';
import { focusOn } from './focus-on.ts';

/**
 * Tooltips: an element with `data-tip` shows that text when the pointer rests on it or the keyboard focuses it; F1 goes to
 * those that are no stop of the Tab key. One bubble in the top layer (above dialogs, too) and one listener on the page serve
 * all elements.
 */
let bubble: HTMLElement | null = null;
let owner: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let isListening = false;
/** Since the last key the pointer has not moved: what scrolls by under it is not pointed at. */
let isByKey = false;

/** While rows scroll by under a resting pointer, no tip opens. */
const restMs = 150;

function show(element: HTMLElement): void {
  if (bubble?.isConnected !== true) {
    bubble = document.createElement('div');
    bubble.className = 'tip-bubble';
    bubble.popover = 'manual';
    // The element's description is read out already; reading the bubble would repeat it.
    bubble.ariaHidden = 'true';
    document.body.append(bubble);
  }
  bubble.textContent = String(shown(element.dataset['tip'] ?? ''));
  bubble.classList.toggle('private', element.closest('.private') !== null);
  bubble.showPopover();
  const at = element.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.min(Math.max(8, at.left + at.width / 2 - size.width / 2), clientWidth - size.width - 8);
  const below = at.bottom + 6;
  bubble.style.left = `${left}px`;
  // A long text in a low window covers its element rather than begin above the window.
  const top = below + size.height + 8 <= clientHeight ? below : Math.max(8, at.top - size.height - 6);
  bubble.style.top = `${top}px`;
}

function leave(): void {
  clearTimeout(timer);
  if (owner !== null) bubble?.hidePopover();
  owner = null;
}

function point(event: Event, waitMs: number): void {
  const element = event.target instanceof Element ? event.target : null;
  // A button's tip may belong to an element inside it, which Tab does not reach.
  const inside = event.type === 'focusin' && element !== null && element.matches('button, a, summary');
  const target =
    element?.closest<HTMLElement>('[data-tip]') ??
    (inside ? (element.querySelector<HTMLElement>('[data-tip]') ?? null) : null);
  pointTo(target, waitMs);
}

/** Shows the tip of something that the keyboard has come to without the focus, such as a cell; null: of nothing any more. */
export function pointTo(target: HTMLElement | null, waitMs = 0): void {
  if (target === owner || !isListening) return;
  leave();
  if (target === null || target.dataset['tip'] === '') return;
  owner = target;
  timer = setTimeout(() => (target.isConnected ? show(target) : leave()), waitMs);
}

/** Focuses the next explained element of the page, or the previous one, except for those that Tab or the cells of a table show. */
function stepToTip(step: 1 | -1): void {
  const from = document.activeElement ?? document.body;
  const all = [...document.querySelectorAll<HTMLElement>('[data-tip]:not([data-tip=""])')].filter(
    (element) => element.closest('button, a, summary, input, [role="grid"], [role="slider"]') === null,
  );
  const onTheWay = step === 1 ? all : all.reverse();
  const side = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const isAhead = (element: HTMLElement) => (from.compareDocumentPosition(element) & side) !== 0;
  // From the end it begins anew. What is hidden, or behind a dialog, cannot be focused.
  const ahead = onTheWay.filter(isAhead);
  [...ahead, ...onTheWay.filter((element) => element !== from && !ahead.includes(element))].some(focusOn);
}

/** Called once by the app. Returns the function that ends it and leaves nothing in the page. */
export function listenForTips(): () => void {
  isListening = true;
  const ended = new AbortController();
  const options = { capture: true, passive: true, signal: ended.signal };
  const onover = (event: PointerEvent) => {
    if (!isByKey) point(event, restMs);
    else if (owner?.isConnected === false) leave();
  };
  document.addEventListener('pointerover', onover, options);
  const onmove = (event: PointerEvent) => {
    // Chromium tells of a move also where the page moved under the pointer.
    if (!isByKey || (event.movementX === 0 && event.movementY === 0)) return;
    isByKey = false;
    point(event, restMs);
  };
  document.addEventListener('pointermove', onmove, options);
  document.addEventListener(
    'focusin',
    (event) => event.target instanceof Element && event.target.matches(':focus-visible') && point(event, 0),
    options,
  );
  for (const name of ['pointerdown', 'focusout']) document.addEventListener(name, leave, options);
  // What the keyboard goes to is scrolled into view.
  const onscroll = () => (owner !== null && owner === document.activeElement ? show(owner) : leave());
  document.addEventListener('scroll', onscroll, options);
  // Of the page itself: with `capture` it would be told of each element that scrolls away from under the pointer.
  document.documentElement.addEventListener('pointerleave', leave, { ...options, capture: false });
  document.addEventListener(
    'keydown',
    ({ key, shiftKey }) => {
      isByKey = true;
      if (key === 'Escape') leave();
      if (key === 'F1') stepToTip(shiftKey ? -1 : 1);
    },
    options,
  );
  return () => {
    isListening = false;
    isByKey = false;
    leave();
    bubble?.remove();
    ended.abort();
  };
}

/**
 * Attachments by their words. Svelte leaves an attachment alone that is the same as before, so an element keeps its tip,
 * and an open bubble stays, when new data leaves the words as they were.
 */
const attachments = new Recent<string, Attachment<HTMLElement>>(1_000);

/**
 * Gives an element a tip. It is read out as its description too; `spoken` replaces it there, with null where the
 * element's name says the same already. Null for `text`: nothing to explain.
 */
export function tip(text: string | null, spoken: string | null = text): Attachment<HTMLElement> {
  return orAdd(attachments, JSON.stringify([text, spoken]), () => (element) => {
    if (text === null || text === '') return undefined;
    element.dataset['tip'] = text;
    if (spoken !== null) element.setAttribute('aria-description', String(shown(spoken)));
    return () => {
      if (owner === element) leave();
      delete element.dataset['tip'];
      element.removeAttribute('aria-description');
    };
  });
}
