import { findEndpoint } from '../../../../../shared/endpoints/registry.ts';
import type { Attempt, BudgetShare, RunSummary, RunTarget } from '../../../../../shared/explore/types.ts';
import type { ServiceProfile } from '../../../../../shared/settings.ts';
import { shortHash } from '../../../../../shared/text.ts';
import { formatCount, formatCountdown, formatPlural, localNumbers } from '../../../ui/text/format.ts';
import type { Tone } from '../../../ui/text/tone.ts';

/** A size in bytes: `512 B`, `12.3 KB`, `4.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return localNumbers(`${(bytes / 1_000).toFixed(1)} KB`);
  return localNumbers(`${(bytes / 1_000_000).toFixed(1)} MB`);
}

export const runTones: Readonly<Record<RunSummary['state'], Tone>> = {
  running: 'running',
  partial: 'warn',
  complete: 'pass',
  failed: 'fail',
};

/** `120 rows on 3 pages`, or nothing for an answer that is one record. */
export function sizeWords(run: RunSummary): string | null {
  if (run.pageCount === 0) return null;
  const pages = run.pageCount > 1 || run.hasMore ? ` on ${formatPlural(run.pageCount, 'page')}` : '';
  return run.rowCount === null ? null : `${formatPlural(run.rowCount, 'row')}${pages}`;
}

/** How far fetching has come and how fast, since it was first seen: `120 pages, 3.1 MB, 80 pages/min`. */
export function fetchingWords(run: RunSummary, since: RunSummary): string {
  const words = [formatPlural(run.pageCount, 'page'), formatBytes(run.byteLength)];
  const ms = (run.fetched?.toMs ?? 0) - (since.fetched?.toMs ?? 0);
  const pages = run.pageCount - since.pageCount;
  if (ms > 0 && pages > 0) words.push(`${formatCount(Math.round((pages * 60_000) / ms))} pages/min`);
  return words.join(', ');
}

/** What is known before further pages are fetched: `50 pages so far: 1.2 MB in total, 24.6 KB per page.` */
export function sizeSoFar({ pageCount, byteLength }: RunSummary): string {
  const each = formatBytes(Math.round(byteLength / pageCount));
  return `${formatPlural(pageCount, 'page')} so far: ${formatBytes(byteLength)} in total, ${each} per page.`;
}

/** The host of the service that was asked, where that is not the one in use; null otherwise, and for a node. */
export function otherService({ target, baseUrl }: RunSummary, service: ServiceProfile): string | null {
  if (target.kind === 'node') return null;
  const inUse = findEndpoint(target.endpointId)?.api === 'metrics' ? service.metricsUrl : service.dataUrl;
  return baseUrl === inUse ? null : new URL(baseUrl).host;
}

export function stateWords(run: RunSummary): string {
  switch (run.state) {
    case 'running':
      return 'Fetching…';
    case 'partial':
      if (run.hasMore) return 'More pages available';
      // The service names a further page of a list that cannot be asked for page by page.
      return run.pageCount === 0 ? 'Stopped' : 'Incomplete';
    case 'complete':
      return 'Complete';
    case 'failed':
      return run.pageCount > 0 ? 'Failed; earlier pages are kept' : 'Failed';
  }
}

export function outcomeWords(attempt: Attempt): string {
  return attempt.outcome === 'ok' ? 'ok' : attempt.outcome.replaceAll('-', ' ');
}

/** Shortens ids and hashes: they are long and have digits, unlike names such as `srcBlockchainId-destBlockchainId`. */
export const paramText = (value: string): string =>
  value.length > 24 && /\d/.test(value) ? shortHash(value) : value;

/** The parameters of a query in one line, each with its name; ids and hashes shortened. */
export function paramsLine(target: RunTarget, nodeName: (id: string) => string): string {
  if (target.kind === 'node') {
    const tags = target.tags.map((tag) => `tag ${shortHash(tag)}`);
    return [nodeName(target.nodeId), ...tags].join(' · ');
  }
  return Object.entries(target.params)
    .map(([name, value]) => `${name} ${paramText(value)}`)
    .join(' · ');
}

/** What is left of one limit, short enough for the bar, or null if that is not known; nothing is sent for `heldMs`. */
export function budgetShort(share: BudgetShare, heldMs: number): string | null {
  if (heldMs > 0) return `paused for ${formatCountdown(heldMs)}`;
  const { remainingThisMinute, limitPerMinute, remainingToday } = share;
  const left = remainingThisMinute ?? remainingToday;
  if (left === null) return null;
  return limitPerMinute !== null && limitPerMinute > 0 && remainingThisMinute !== null
    ? `${Math.floor((100 * Math.min(left, limitPerMinute)) / limitPerMinute)}%`
    : `${formatCount(left)} units`;
}

/** The same in whole sentences. */
export function budgetLong(name: string, share: BudgetShare, heldMs: number): string {
  const part = (left: number | null, limit: number | null, span: string) =>
    left === null
      ? null
      : `${formatCount(left)}${limit === null ? '' : ` of ${formatCount(limit)}`} units left ${span}`;
  const parts = [
    part(share.remainingThisMinute, share.limitPerMinute, 'this minute'),
    part(share.remainingToday, share.limitPerDay, 'today'),
  ].filter((words) => words !== null);
  const known = parts.length === 0 ? 'we don’t know its rate limits yet' : parts.join(', ');
  const held = heldMs > 0 ? `; the app pauses requests for ${formatCountdown(heldMs)}` : '';
  return `${name}: ${known}${held}.`;
}
