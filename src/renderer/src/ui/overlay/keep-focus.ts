import { focusOn } from '../sign/focus-on.ts';

/** The focused element and its ancestors, innermost first. */
type Path = readonly HTMLElement[];

function pathOf(focused: Element | null): Path {
  const path: HTMLElement[] = [];
  for (let at = focused; at !== null && at !== document.body; at = at.parentElement) {
    if (at instanceof HTMLElement) path.push(at);
  }
  return path;
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** Focuses what had the focus, or the nearest around it that is left and can take it, from where Tab goes on. */
function focusNearest(path: Path): void {
  const around = [...path, document.querySelector('main')];
  around.some((element) => element?.isConnected === true && focusOn(element));
}

/**
 * For something that takes the focus while it is open: the returned function gives it back, with `onlyFrom` only if it is
 * still in there, because a click elsewhere has moved it already.
 */
export function borrowFocus(onlyFrom?: HTMLElement): () => void {
  const path = pathOf(document.activeElement);
  return () => {
    if (onlyFrom === undefined || isNowhere() || onlyFrom.contains(document.activeElement))
      focusNearest(path);
  };
}

/**
 * Called once by the app: where what has the focus is taken away, the nearest around it has it, and not the page, from where the
 * keyboard would begin anew. Returns the function that ends it.
 */
export function keepFocus(): () => void {
  let path: Path = [];
  const follow = ({ target }: FocusEvent) => {
    path = target instanceof Element ? pathOf(target) : [];
  };
  const watch = new MutationObserver(() => {
    if (path[0]?.isConnected === false && isNowhere()) focusNearest(path);
  });
  document.addEventListener('focusin', follow, true);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', follow, true);
    watch.disconnect();
  };
}
