import type { CompletionStatus, SyncPlan, SyncWhat } from '../../../../../shared/activity/types.ts';
import { costUnits } from '../../../../../shared/endpoints/define.ts';
import { wasNotAsked } from '../../../../../shared/errors.ts';
import type { ConnectionStatus } from '../../../../../shared/ipc/answers.ts';
import type { BudgetShare } from '../../../../../shared/explore/types.ts';
import { formatCount, formatPlural, formatSpan, localNumbers } from '../../../ui/text/format.ts';

/** The action, as the button's text and the dialog's title. */
export const syncWords: Readonly<Record<SyncWhat, string>> = {
  newer: 'Fetch newer',
  holes: 'Fill gaps',
  older: 'Fetch older',
  all: 'Fetch all',
};

// `Object.keys` is typed as plain strings.
export const syncChoices = Object.keys(syncWords) as readonly SyncWhat[];

/** What a plan costs, one sentence per line. Unknown costs are named as unknown. */
export function planWords(plan: SyncPlan): string[] {
  if (plan.items.length === 0) return ['There’s nothing to fetch.'];
  const lists = formatPlural(plan.items.length, 'list');
  const least = formatPlural(plan.leastCalls, 'call');
  const calls =
    plan.estimatedCalls === null
      ? [`At least ${least} for ${lists}.`, unknownWords(plan)]
      : [
          `About ${formatPlural(Math.max(plan.estimatedCalls, plan.leastCalls), 'call')} for ${lists} (at least ${formatCount(plan.leastCalls)}).`,
        ];
  const time =
    plan.estimatedMs === null
      ? plan.estimatedCalls === null
        ? 'The duration isn’t known until then.'
        : 'We don’t know yet how long a call takes.'
      : plan.estimatedMs < 1_000
        ? 'Takes less than a second.'
        : `About ${formatSpan(plan.estimatedMs)} at the current limits.`;
  const share =
    plan.share === null
      ? []
      : [`Needs ${partWords(plan.share.part)} what the service allows per ${plan.share.window}.`];
  return [...calls, time, ...share];
}

/** The lists with unknown costs, and the sum of the others. */
function unknownWords({ items }: SyncPlan): string {
  const known = items.flatMap(({ estimatedCalls, leastCalls }) =>
    estimatedCalls === null ? [] : [Math.max(estimatedCalls, leastCalls)],
  );
  const unknownCount = items.length - known.length;
  if (unknownCount === items.length) return 'The number of calls isn’t known until the first page arrives.';
  const rest = known.reduce((sum, calls) => sum + calls, 0);
  const whose = unknownCount === 1 ? 'its' : 'their';
  const others = known.length === 1 ? 'other list needs' : 'others need';
  return `The number of calls for ${formatPlural(unknownCount, 'list')} isn’t known until ${whose} first page arrives. The ${others} about ${formatPlural(rest, 'call')}.`;
}

function partWords(part: number): string {
  if (part > 1) return localNumbers(`${part.toFixed(1).replace(/\.0$/, '')} times`);
  return part > 0 && part < 0.01 ? 'less than 1% of' : `${Math.round(part * 100)}% of`;
}

/** The cost of completing this many rows: one call each. */
export function completionCost(count: number, share: BudgetShare): string {
  const units = formatPlural(count * costUnits.data, 'unit');
  const calls = `${formatPlural(count, 'call')} (one per transaction), using about ${units}.`;
  const left = (remaining: number | null, limit: number | null, when: string) =>
    remaining === null || limit === null
      ? null
      : `${calls} ${formatCount(remaining)} of ${formatCount(limit)} units are left ${when}.`;
  return (
    left(share.remainingToday, share.limitPerDay, 'today') ??
    left(share.remainingThisMinute, share.limitPerMinute, 'this minute') ??
    calls
  );
}

/** Whether nothing can be completed before the service can be asked again. */
export function waitsForConnection({ error }: CompletionStatus, { state }: ConnectionStatus): boolean {
  return state === 'offline' || state === 'off' || (error !== null && wasNotAsked(error));
}

/** How far completing is. */
export function completionWords(status: CompletionStatus, connection: ConnectionStatus): string {
  const { waitingCount, doneCount } = status;
  if (waitsForConnection(status, connection)) {
    return `${formatPlural(waitingCount, 'transaction')} waiting for a connection`;
  }
  return `Fetching details: ${formatCount(doneCount)} of ${formatCount(doneCount + waitingCount)}`;
}
