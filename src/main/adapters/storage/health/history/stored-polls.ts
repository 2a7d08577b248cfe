import { oldestRunMs, runTimeMs } from '../../../../../shared/health/uptime.ts';
import { bytes, integer, integerOrNull, text } from '../../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlRow } from '../../sqlite/sql.ts';
import { reportText, type CorePoll, type HistoryPoll } from './block.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
import { Recent } from '../../../../../shared/recent.ts';
import { dayMs, hourMs, utcText } from '../../../../../shared/time.ts';
import type { Slice } from './day.ts';
import { HourMemo } from './hour-memo.ts';
import { unpack } from './unpacked.ts';

/** Size of the cache of decoded runs, of about 120 bytes each: a day of a node with 200 checks. */
const keptRuns = 600_000;
/** Reports are kept of a block with no more runs than this: some megabytes. */
const runsOfKeptReports = 6_000;

/** Of which time a row tells, and whether that is lost with it. */
const tells = {
  health_block: ['from_ms', 'TRUE'],
  health_day: [`day * ${dayMs}`, 'has_runs = 0'],
  health_episode: ['started_at_ms', 'TRUE'],
} as const;

/** Reads stored polls from their blocks: one block per hour, and one per poll in the current hour. */
export class StoredPolls {
  readonly reader: SqlReader;
  readonly #decoded = new Recent<number, CorePoll[]>(keptRuns, sizeOf);
  /** Of the block read last: a report, the one before it and the next one mostly lie in the same hour. */
  #lastReports: { id: number; reports: readonly unknown[] | null } | null = null;
  /** Unreadable days; the hours they were computed from may still be there. */
  readonly unreadableDays = new Set<number>();
  /** What was computed of them. */
  readonly hours = new HourMemo();
  /** What could not be read since the store was opened: where that is, and null once it was reported. */
  readonly #unreadable = new Map<string, SqlRow | null>();

  constructor(reader: SqlReader) {
    this.reader = reader;
  }

  /** Polls with `fromMs` ≤ t < `toMs`, in order of time, then of recording. */
  between(node: number, fromMs: number, toMs: number): CorePoll[] {
    const polls = this.#blocks(node, fromMs, toMs).flatMap((row) => this.core(row));
    return inOrder(polls.filter((poll) => poll.polledAtMs >= fromMs && poll.polledAtMs < toMs));
  }

  /** The polls of a span, and those after it up to the last one with a run in the span. */
  about(node: number, fromMs: number, toMs: number): CorePoll[] {
    const row = this.reader.get(
      `SELECT max(to_ms) AS last_ms FROM health_block
       WHERE node_ref = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ? AND first_at_ms < ?`,
      [node, toMs - blockSpanMs, toMs + oldestRunMs, toMs, toMs],
    );
    return this.between(node, fromMs, (integerOrNull(row, 'last_ms') ?? toMs - 1) + 1);
  }

  /** Everything about a span, an hour at a time, because a node may have thousands of checks. */
  *slices(node: number, fromMs: number, toMs: number): Generator<Slice> {
    let startMs = fromMs;
    while (startMs < toMs) {
      // A run is at most a day older than its poll, so a span with no polls until then is a single slice.
      const emptyToMs = Math.min(toMs, (this.nextPollMs(node, startMs) ?? Infinity) - oldestRunMs);
      const hourEndMs = (Math.floor(startMs / blockSpanMs) + 1) * blockSpanMs;
      const slice = { fromMs: startMs, toMs: emptyToMs > startMs ? emptyToMs : Math.min(toMs, hourEndMs) };
      yield { ...slice, polls: () => this.about(node, slice.fromMs, slice.toMs) };
      startMs = slice.toMs;
    }
  }

  /** The earliest time from `fromMs` on at which there may be a stored poll; null for none. */
  nextPollMs(node: number, fromMs: number): number | null {
    const row = this.reader.get(
      `SELECT max(?2, from_ms) AS at_ms FROM health_block
       WHERE node_ref = ?1 AND from_ms >= ?2 - ?3 AND to_ms >= ?2 ORDER BY from_ms LIMIT 1`,
      [node, fromMs, blockSpanMs],
    );
    return integerOrNull(row, 'at_ms');
  }

  /** The newest poll with a report at or before `atMs`; of two at the same time, the one recorded last. */
  lastReportAt(node: number, atMs: number): HistoryPoll | null {
    const rows = this.reader.iterate(
      `SELECT id, from_ms, to_ms FROM health_block WHERE node_ref = ? AND from_ms <= ? AND report_count > 0
       ORDER BY from_ms DESC`,
      [node, atMs],
    );
    let lastMs = -Infinity;
    for (const row of rows) {
      if (integer(row, 'from_ms') + blockSpanMs < lastMs) break;
      if (integer(row, 'to_ms') <= lastMs) continue;
      for (const { hasReport, polledAtMs } of this.core(row))
        if (hasReport && polledAtMs <= atMs) lastMs = Math.max(lastMs, polledAtMs);
    }
    const polls = lastMs === -Infinity ? [] : this.#whole(node, lastMs - 1, lastMs);
    return polls.findLast(({ reportJson }) => reportJson !== null) ?? null;
  }

  /** The first `limit` polls of `afterMs` < t ≤ `toMs`, and all others at the same time as the last of them. */
  scan(node: number, afterMs: number, toMs: number, limit: number): HistoryPoll[] {
    const first: CorePoll[] = [];
    let nextMs = this.nextPollMs(node, afterMs + 1);
    while (nextMs !== null && nextMs <= toMs && first.length < limit) {
      const endMs = Math.min(toMs + 1, nextMs + blockSpanMs);
      first.push(...this.between(node, nextMs, endMs));
      nextMs = this.nextPollMs(node, endMs);
    }
    return this.#whole(node, afterMs, first[limit - 1]?.polledAtMs ?? toMs);
  }

  /** Whether the run of a check with this time, by the node's clock, is stored. */
  hasRun(node: number, check: string, ranAtMs: number): boolean {
    const blocks = this.reader.all(
      'SELECT id FROM health_block WHERE node_ref = ? AND first_ran_at_ms <= ? AND last_ran_at_ms >= ?',
      [node, ranAtMs, ranAtMs],
    );
    return blocks.some((row) =>
      this.core(row).some(({ runs }) => runs.some((run) => run.ranAtMs === ranAtMs && run.check === check)),
    );
  }

  /** After blocks were packed anew: what they tell is the same. */
  forgetBlocks(): void {
    this.#decoded.clear();
    this.#lastReports = null;
  }

  /** After blocks or days were removed or changed. */
  forget(): void {
    this.forgetBlocks();
    this.hours.clear();
  }

  /** The polls in a block without their reports; `of` is a row with its `id`. */
  core(of: SqlRow): CorePoll[] {
    const id = integer(of, 'id');
    return orAdd(this.#decoded, id, () => {
      const row = this.reader.get('SELECT core FROM health_block WHERE id = ?', [id]);
      return this.readable('health_block', id, () => unpack<CorePoll>(bytes(row, 'core'))) ?? [];
    });
  }

  /** The complete polls of a block; null when any part of it is unreadable. `of` is a row with its `id`. */
  wholeBlock(of: SqlRow): HistoryPoll[] | null {
    const core = this.core(of);
    const polls = this.pollsOf(of, () => true);
    const isWhole = polls.every(({ reportJson }, at) => reportJson !== null || core[at]?.hasReport === false);
    return isWhole && polls.length > 0 ? polls : null;
  }

  /** The wanted polls of a block, with their reports where these are readable. `of` is a row with its `id`. */
  pollsOf(of: SqlRow, isWanted: (poll: CorePoll) => boolean): HistoryPoll[] {
    const id = integer(of, 'id');
    const polls = this.core(of);
    const reports = this.#reports(id, polls);
    return polls.flatMap((poll, at) => {
      if (!isWanted(poll)) return [];
      const { hasReport, ...rest } = poll;
      return [{ ...rest, reportJson: hasReport && reports !== null ? reportText(reports[at]) : null }];
    });
  }

  #reports(id: number, polls: readonly CorePoll[]): readonly unknown[] | null {
    if (this.#lastReports?.id === id) return this.#lastReports.reports;
    const row = this.reader.get('SELECT texts FROM health_block WHERE id = ?', [id]);
    const reports = this.readable('health_block', id, () => unpack(bytes(row, 'texts')));
    this.#lastReports = sizeOf(polls) <= runsOfKeptReports ? { id, reports } : null;
    return reports;
  }

  /**
   * Unpacks a part of the history; null when that fails. The unreadable part stays stored and is reported by
   * `unreadable`, unless it is a day whose hours are still there. Otherwise one bad part would block everything that
   * reads its node, including the upkeep of all nodes.
   */
  readable<T>(table: keyof typeof tells, id: number, unpack: () => T): T | null {
    try {
      return unpack();
    } catch {
      if (table === 'health_day') this.unreadableDays.add(id);
      const key = `${table} ${id}`;
      const [fromMs, isLost] = tells[table];
      // The names are constants, not input.
      const where = this.reader.get(
        `SELECT node_json ->> 'name' AS name, ${fromMs} AS from_ms FROM ${table} JOIN health_node ON health_node.id = node_ref
         WHERE ${table}.rowid = ? AND ${isLost}`,
        [id],
      );
      if (where !== undefined) orAdd(this.#unreadable, key, () => where);
      return null;
    }
  }

  /** The first failure to read that was not reported yet, or null. */
  unreadable(): SqlFailure | null {
    const news = [...this.#unreadable.values()].filter((where) => where !== null);
    for (const key of this.#unreadable.keys()) this.#unreadable.set(key, null);
    const [first] = news;
    if (first === undefined) return null;
    const time = utcText(integer(first, 'from_ms'));
    const parts = news.length === 1 ? '1 part' : `${news.length} parts`;
    const words = `${parts} of the history cannot be read and will count as unknown`;
    return new SqlFailure('corrupt', `${words} (first: ${text(first, 'name')}, ${time} UTC)`);
  }

  /** The polls of `afterMs` < t ≤ `toMs` with their reports, in order of time, then of recording. */
  #whole(node: number, afterMs: number, toMs: number): HistoryPoll[] {
    const isIn = ({ polledAtMs }: CorePoll) => polledAtMs > afterMs && polledAtMs <= toMs;
    return inOrder(this.#blocks(node, afterMs + 1, toMs + 1).flatMap((row) => this.pollsOf(row, isIn)));
  }

  /** In the order of recording. */
  #blocks(node: number, fromMs: number, toMs: number): SqlRow[] {
    return this.reader.all(
      `SELECT id FROM health_block WHERE node_ref = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ? ORDER BY id`,
      [node, fromMs - blockSpanMs, toMs, fromMs],
    );
  }
}

/** In runs; a poll counts as one more. */
function sizeOf(polls: readonly CorePoll[]): number {
  return polls.reduce((count, { runs }) => count + 1 + runs.length, 0);
}

/** No block spans more than this. */
export const blockSpanMs = hourMs;

function inOrder<T extends { polledAtMs: number }>(polls: T[]): T[] {
  return polls.sort((a, b) => a.polledAtMs - b.polledAtMs);
}

/** The earliest time that these polls tell of, and the first and last run by the node's clock. */
export function reachOf(polls: readonly Pick<CorePoll, 'polledAtMs' | 'runs'>[]) {
  let firstAtMs = Infinity;
  let firstRanAtMs: number | null = null;
  let lastRanAtMs: number | null = null;
  for (const { polledAtMs, runs } of polls) {
    firstAtMs = Math.min(firstAtMs, polledAtMs);
    for (const { ranAtMs } of runs) {
      firstAtMs = Math.min(firstAtMs, runTimeMs(ranAtMs, polledAtMs));
      firstRanAtMs = Math.min(firstRanAtMs ?? ranAtMs, ranAtMs);
      lastRanAtMs = Math.max(lastRanAtMs ?? ranAtMs, ranAtMs);
    }
  }
  return { firstAtMs, firstRanAtMs, lastRanAtMs };
}
