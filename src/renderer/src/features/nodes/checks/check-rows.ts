import type { CheckReport, CheckState } from '../../../../../shared/health/types.ts';
import { byText } from '../../../../../shared/by-text.ts';
import { chainOf } from '../../../../../shared/health/scope.ts';
import { checkName, type ChainNames } from '../../../../../shared/health/names.ts';

export type CheckOrder = 'urgency' | 'name' | 'ran' | 'failures';

export interface CheckChoice {
  order: CheckOrder;
  descending: boolean;
  onlyFailing: boolean;
  /** Searched in names, chains and errors. */
  text: string;
}

export const usualChoice: CheckChoice = { order: 'urgency', descending: false, onlyFailing: false, text: '' };

export interface CheckRowData {
  check: CheckReport;
  /** Alias or id of its chain; null for a check of the node as a whole. */
  chain: string | null;
}

const urgency: Readonly<Record<CheckState, number>> = {
  fail: 0,
  stalled: 1,
  unknown: 2,
  pending: 3,
  pass: 4,
};

/** The checks that pass the choice's filters, in its order; equal ones by name. */
export function chooseChecks(
  checks: readonly CheckReport[],
  choice: CheckChoice,
  chains: ChainNames,
): CheckRowData[] {
  const text = choice.text.trim().toLowerCase();
  const compare = comparisons[choice.order];
  const sign = choice.descending ? -1 : 1;
  return checks
    .map((check) => ({ check, chain: chainOf(check.name, check.message) }))
    .filter(
      ({ check, chain }) =>
        (!choice.onlyFailing || check.state !== 'pass') &&
        (text === '' ||
          [
            checkName(check.name, chains),
            chain === null ? 'global' : `chain ${chain}`,
            check.error ?? '',
          ].some((part) => part.toLowerCase().includes(text))),
    )
    .sort((a, b) => sign * compare(a, b) || byName(a, b));
}

const byName = (a: CheckRowData, b: CheckRowData): number => byText(a.check.name, b.check.name);

const comparisons: Readonly<Record<CheckOrder, (a: CheckRowData, b: CheckRowData) => number>> = {
  urgency: (a, b) => urgency[a.check.state] - urgency[b.check.state],
  name: byName,
  ran: (a, b) => (a.check.ranAtMs ?? 0) - (b.check.ranAtMs ?? 0),
  failures: (a, b) => (a.check.contiguousFailures ?? 0) - (b.check.contiguousFailures ?? 0),
};
