import { useWindow } from './window.ts';

/** What is typed in a form of a view. */
export interface Draft<Value> {
  value: Value;
  /** Something else is typed than what is kept. */
  readonly isChanged: boolean;
  discard(): void;
  /** Was sent and kept; what was typed meanwhile stays. */
  saved(sent: Value): void;
}

/**
 * What is typed over what is `kept`, until it is saved or discarded, also while another view is shown: nothing that is
 * secret. To be called in a component's set-up.
 */
export function draft<Value>(name: () => string, kept: () => Value): Draft<Value> {
  const { drafts } = useWindow().navigation;
  const isKept = (value: Value) => JSON.stringify(value) === JSON.stringify(kept());
  return {
    get value() {
      // Each form has a name of its own.
      return drafts.has(name()) ? (drafts.get(name()) as Value) : kept();
    },
    set value(typed) {
      if (isKept(typed)) drafts.delete(name());
      else drafts.set(name(), typed);
    },
    get isChanged() {
      return !isKept(this.value);
    },
    discard: () => void drafts.delete(name()),
    saved(sent) {
      if (this.value === sent) this.discard();
    },
  };
}
