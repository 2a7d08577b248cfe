import { untrack } from 'svelte';
import { fieldOf, type ChoiceField } from '../../../../../shared/activity/filter.ts';
import type { FilterValue } from '../../../../../shared/ipc/answers.ts';
import type { ArgsOf } from '../../../../../shared/ipc/contract.ts';
import { call } from '../../../bridge.ts';
import type { AppState } from '../../../state/app.svelte.ts';
import { resource } from '../../../state/resource.svelte.ts';
import { useWindow } from '../../../state/window.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
import { shortHash } from '../../../../../shared/text.ts';

/** Names of the values in pills: fixed ones, those given by the user, and those in the store. */
export class ValueLabels {
  #stored = $state.raw<ReadonlyMap<string, string>>(new Map());
  readonly #asked = new Set<string>();
  readonly #app: AppState;

  constructor(app: AppState) {
    this.#app = app;
  }

  readonly nameOf = (field: ChoiceField, value: string): string => {
    const stored = this.#stored.get(`${field} ${value}`) ?? null;
    const { values, valuesAre } = fieldOf[field];
    if (valuesAre === 'addresses') {
      return this.#app.nameOf(value, stored === value ? null : stored)?.text ?? shortHash(value);
    }
    if (valuesAre === 'chains') return this.#app.chainNames.get(value) ?? stored ?? shortHash(value, 8, 4);
    if (valuesAre === 'tokens') return stored === null || stored === value ? shortToken(value) : stored;
    return values?.[value] ?? stored ?? value;
  };

  /** What tells tokens of one name apart: the chain, and the ends of the contract. */
  tokenNote(value: string): string {
    const [chainId = '', , contract] = value.split(' ');
    const chain = this.nameOf('chain', chainId);
    return contract === undefined ? chain : `${chain} ${shortHash(contract)}`;
  }

  /** Keeps the store's labels of these values, without the user's names: these may change, and the app knows them. */
  remember(field: ChoiceField, values: readonly FilterValue[]): void {
    const isUsers = ({ value, label }: FilterValue) =>
      fieldOf[field].valuesAre === 'addresses' && this.#app.nameOf(value)?.text === label;
    this.#stored = new Map([
      ...this.#stored,
      ...values
        .filter((named) => !isUsers(named))
        .map(({ value, label }) => [`${field} ${value}`, label] as const),
    ]);
  }

  /** Asks the store for the name of a token in an older pill; without an answer its key is shown. */
  async learnToken(value: string): Promise<void> {
    if (this.#asked.has(value) || this.#stored.has(`token ${value}`)) return;
    this.#asked.add(value);
    const text = value.split(' ')[2] ?? value;
    const result = await call('activity.values', { field: 'token', text, limit: 20 });
    if (result.ok) this.remember('token', result.value);
  }
}

const ofApp = new WeakMap<AppState, ValueLabels>();

/** One for the whole window, so that a filter is called the same wherever it is put into words. */
export const valueLabelsOf = (app: AppState): ValueLabels => orAdd(ofApp, app, () => new ValueLabels(app));

/** The stored values of a field, whose labels are remembered. To be called in a component's set-up. */
export function storedValues(args: () => ArgsOf<'activity.values'> | null) {
  const labels = valueLabelsOf(useWindow().app);
  const look = resource('activity.values', args, () => args()?.field);
  $effect(() => {
    const [field, values] = [args()?.field, look.value];
    if (field !== undefined && values !== undefined) untrack(() => labels.remember(field, values));
  });
  return {
    look,
    /** Null before they are known, and after a failure, where only those of an earlier text would be there. */
    get found() {
      return look.error === null ? (look.value ?? null) : null;
    },
  };
}

/** `erc20 0xb97e…8a6e`: the key without its chain, while the name is unknown. */
function shortToken(value: string): string {
  const [, kind = value, contract] = value.split(' ');
  return contract === undefined ? kind : `${kind} ${shortHash(contract)}`;
}
