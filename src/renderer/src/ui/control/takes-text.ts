const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

/** Whether letters that are pressed there are meant for a field: not for a box that is only ticked. */
export const takesText = (target: EventTarget | null): boolean => isIn(target, fields);

export function isIn(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
