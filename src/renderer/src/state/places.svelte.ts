import type { ActivityFilter } from '../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { LookupSubject } from './lookup-subject.ts';

/** Where the user is: the view, and what is chosen and open in each. */
export interface Place {
  view: string;
  filter: ActivityFilter;
  nodeId: string | null;
  showsAllIncidents: boolean;
  incident: Incident | null;
  opened: ActivityRow | null;
  lookups: readonly LookupSubject[];
  asked: { choice: string | null; values: Readonly<Record<string, string>>; run: RunSummary | null };
}

const mostPlaces = 100;

/** The history of places for back and forward; the last one of the past is the current place. */
export class Places {
  #past = $state.raw<readonly Place[]>([]);
  /** The next one first. */
  #future = $state.raw<readonly Place[]>([]);

  get canGoBack(): boolean {
    return this.#past.length > 1;
  }

  get canGoForward(): boolean {
    return this.#future.length > 0;
  }

  /** The user is at this place now; staying at the same place is not a step. */
  visit(place: Place): void {
    const now = this.#past.at(-1);
    if (now !== undefined && isSame(now, place)) {
      // Replaced, because it has what was typed in its form since.
      this.#past = [...this.#past.slice(0, -1), place];
      return;
    }
    const before = this.#beforeOpening(place);
    if (before !== null) {
      this.#future = [...this.#past.slice(before + 1), ...this.#future];
      this.#past = this.#past.slice(0, before + 1);
      return;
    }
    const goesOn = now !== undefined && isOneStepWith(now, place);
    this.#past = [...(goesOn ? this.#past.slice(0, -1) : this.#past), place].slice(-mostPlaces);
    this.#future = [];
  }

  /** Goes back from here; null at the beginning. */
  back(here: Place): Place | null {
    const target = this.#past.at(-2);
    if (target === undefined) return null;
    this.#past = this.#past.slice(0, -1);
    this.#future = [here, ...this.#future];
    return target;
  }

  forward(here: Place): Place | null {
    const [target, ...rest] = this.#future;
    if (target === undefined) return null;
    this.#past = [...this.#past.slice(0, -1), here, target];
    this.#future = rest;
    return target;
  }

  /** Closing what was opened over a place counts as a step back to it; otherwise "back" would open it again. */
  #beforeOpening(place: Place): number | null {
    const index = this.#past.findLastIndex((known) => isSame(known, place));
    const since = this.#past.slice(index + 1);
    return index >= 0 && since.every((known) => depth(known) > depth(place)) ? index : null;
  }
}

/** How many drawers are open over the view. */
function depth({ lookups, opened, incident }: Place): number {
  return lookups.length + Number(opened !== null) + Number(incident !== null);
}

/** Going from one transaction to the next, or typing a search, is one step in all. */
function isOneStepWith(before: Place, after: Place): boolean {
  const isStepping = before.opened !== null && after.opened !== null;
  const isTyping = before.filter.text !== '' && after.filter.text !== '';
  return (
    (isStepping && isSame({ ...before, opened: null }, { ...after, opened: null })) ||
    (isTyping && isSame({ ...before, filter: after.filter }, after) && samePills(before, after))
  );
}

function samePills(a: Place, b: Place): boolean {
  return JSON.stringify({ ...a.filter, text: '' }) === JSON.stringify({ ...b.filter, text: '' });
}

const isSame = (a: Place, b: Place): boolean => keyOf(a) === keyOf(b);

/** Equal for the same place: rows, incidents and queries count by id, so that their updates are not steps. */
function keyOf({ incident, opened, asked, ...rest }: Place): string {
  const { choice, run } = asked;
  return JSON.stringify([rest, incident?.nodeId, incident?.id, opened?.id, choice, run?.id]);
}
