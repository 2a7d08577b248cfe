import type { SyncPlan, SyncWhat } from '../../../../shared/activity/types.ts';
import type { BudgetShare } from '../../../../shared/explore/types.ts';
import { formatCount, formatPlural, formatSpan } from '../../ui/format.ts';

/** What a button does, for its text and for the title of the question. */
export const syncWords: Readonly<Record<SyncWhat, string>> = {
  newer: 'Load newer',
  holes: 'Fill holes',
  older: 'Load older',
  all: 'Sync all',
};

/** What a plan costs, a sentence a line. What is not known is said to be so. */
export function planWords(plan: SyncPlan): string[] {
  if (plan.items.length === 0) return ['There is nothing to fetch.'];
  const lists = formatPlural(plan.items.length, 'list');
  const least = formatPlural(plan.leastCalls, 'call');
  const calls =
    plan.estimatedCalls === null
      ? [`At least ${least} for ${lists}.`, unknownWords(plan)]
      : [
          `About ${formatPlural(Math.max(plan.estimatedCalls, plan.leastCalls), 'call')} for ${lists}, at least ${least}.`,
        ];
  const time =
    plan.estimatedMs === null
      ? plan.estimatedCalls === null
        ? 'How long it takes is unknown until then.'
        : 'How long a call takes is not known yet.'
      : plan.estimatedMs < 1_000
        ? 'Done within a second.'
        : `About ${formatSpan(plan.estimatedMs)} at the present limits.`;
  const share =
    plan.shareOfDay === null
      ? 'The service has not told how much it allows in a day.'
      : `${percent(plan.shareOfDay)} of what the service allows in a day.`;
  return [...calls, time, share];
}

/** Of which lists nothing is known, and what is known of the others. */
function unknownWords({ items }: SyncPlan): string {
  const known = items.flatMap(({ estimatedCalls, leastCalls }) =>
    estimatedCalls === null ? [] : [Math.max(estimatedCalls, leastCalls)],
  );
  const unknownCount = items.length - known.length;
  const subject = unknownCount === items.length ? (unknownCount === 1 ? 'Its length' : 'Their length') : null;
  if (subject !== null) return `${subject} is unknown until the first page.`;
  const rest = known.reduce((sum, calls) => sum + calls, 0);
  return `The length of ${formatPlural(unknownCount, 'list')} is unknown until the first page; the others take about ${formatPlural(rest, 'call')}.`;
}

function percent(share: number): string {
  if (share > 0 && share < 0.01) return 'Less than 1 %';
  return `${Math.round(share * 100)} %`;
}

/** What completing so many rows costs: one call each. */
export function completionCost(count: number, share: BudgetShare): string {
  const calls = `${formatPlural(count, 'call')}, one for each.`;
  return share.remainingToday === null || share.limitPerDay === null
    ? `${calls} The service has not told how much it allows in a day.`
    : `${calls} ${formatCount(share.remainingToday)} of ${formatCount(share.limitPerDay)} units are left today.`;
}
