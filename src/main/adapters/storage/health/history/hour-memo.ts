import type { Prior } from '../../../../../shared/health/uptime.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
import { Recent } from '../../../../../shared/recent.ts';
import { hourMs } from '../../../../../shared/time.ts';
import type { Sighted } from './cell-counter.ts';
import type { DayContent, SpanSummary, Steps } from './day.ts';

/** A day of a hundred nodes; what a node with hundreds of checks needs for an hour is some tens of kilobytes. */
const mostKept = 2_500;

interface Kept {
  node: number;
  toMs: number;
  /** What was known before it. */
  prior?: Prior;
  summary?: SpanSummary;
  sights?: Sighted[];
}

/** What was computed of spans of at most an hour, until a poll is recorded that tells of them or of a time before. */
export class HourMemo {
  readonly #kept = new Recent<string, Kept>(mostKept);
  readonly #priors = new Map<number, Prior>();
  /** The day that is being computed, of which the rest follows. */
  day: { node: number; toMs: number; steps: Steps<DayContent> } | null = null;

  /** The summary of a span that follows on `prior`. */
  summary(
    node: number,
    span: { fromMs: number; toMs: number },
    prior: Prior,
    compute: () => SpanSummary,
  ): SpanSummary {
    const kept = this.#of(node, span.fromMs, span.toMs);
    if (kept.prior !== prior) delete kept.summary;
    kept.prior = prior;
    return (kept.summary ??= compute());
  }

  /** The states of the node itself in the hour that begins at `fromMs`. */
  sights(node: number, fromMs: number, compute: () => Sighted[]): Sighted[] {
    const kept = this.#of(node, fromMs, fromMs + hourMs);
    return (kept.sights ??= compute());
  }

  /** The same object for the same stored day, so that what follows on it is recognised. */
  priorOf(dayId: number, read: () => Prior): Prior {
    return orAdd(this.#priors, dayId, read);
  }

  /** A poll was recorded; `firstAtMs` is the earliest time that it tells of. */
  recorded(node: number, firstAtMs: number, sight: Sighted): void {
    if (this.day?.node === node && this.day.toMs > firstAtMs) this.day = null;
    for (const kept of this.#kept.values()) {
      if (kept.node !== node || kept.toMs <= firstAtMs) continue;
      delete kept.summary;
      if (sight.atMs >= kept.toMs - hourMs && sight.atMs < kept.toMs) kept.sights?.push(sight);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#priors.clear();
    this.day = null;
  }

  #of(node: number, fromMs: number, toMs: number): Kept {
    return orAdd(this.#kept, `${node} ${fromMs} ${toMs}`, () => ({ node, toMs }));
  }
}
