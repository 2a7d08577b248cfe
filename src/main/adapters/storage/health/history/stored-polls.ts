import { oldestRunMs, runTimeMs } from '../../../../../shared/health/uptime.ts';
import { bytes, integer, integerOrNull, text } from '../../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlRow } from '../../sqlite/sql.ts';
import { unpackCore, reportText, unpackReports, type CorePoll, type HistoryPoll } from './block.ts';
import { dayMs, type Slice } from './day.ts';

/** Decoded runs that are kept: two days or three of an ordinary node, since what is looked at is looked at again. */
const keptRuns = 100_000;

/** Reads stored polls out of their blocks: each is one of its own until its hour is over. */
export class StoredPolls {
  readonly #reader: SqlReader;
  /** The one that was used last is at the end. */
  readonly #decoded = new Map<number, CorePoll[]>();
  #decodedRuns = 0;
  /** Days that could not be read, whose hours may still be there. */
  readonly unreadableDays = new Set<number>();
  /** What could not be read since the store was opened, and whether that was told. */
  readonly #unreadable = new Map<string, { where: SqlRow; wasTold: boolean }>();

  constructor(reader: SqlReader) {
    this.#reader = reader;
  }

  /** The polls of `fromMs` ≤ t < `toMs` in order of time, then of recording. */
  between(node: number, fromMs: number, toMs: number): CorePoll[] {
    const polls = this.#blocks(node, fromMs, toMs).flatMap((row) => this.core(row));
    return inOrder(polls.filter((poll) => poll.polledAtMs >= fromMs && poll.polledAtMs < toMs));
  }

  /** The polls of a span, and those after it up to the last one that saw a run of the span. */
  about(node: number, fromMs: number, toMs: number): CorePoll[] {
    const row = this.#reader
      .prepare(
        `SELECT max(to_ms) AS last_ms FROM health_block
         WHERE node_ref = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ? AND first_at_ms < ?`,
      )
      .get(node, toMs - blockSpanMs, toMs + oldestRunMs, toMs, toMs);
    const lastMs = row === undefined ? null : integerOrNull(row, 'last_ms');
    return this.between(node, fromMs, (lastMs ?? toMs - 1) + 1);
  }

  /** What is known about a span, an hour at a time: a node may have thousands of checks. */
  *slices(node: number, fromMs: number, toMs: number): Generator<Slice> {
    let startMs = fromMs;
    while (startMs < toMs) {
      // A run lies a day before its poll at most. Where nothing lies before that, one slice is enough.
      const emptyToMs = Math.min(toMs, (this.nextPollMs(node, startMs) ?? Infinity) - oldestRunMs);
      const endMs = emptyToMs > startMs ? emptyToMs : Math.min(toMs, startMs + blockSpanMs);
      yield { fromMs: startMs, toMs: endMs, polls: this.about(node, startMs, endMs) };
      startMs = endMs;
    }
  }

  /** The first moment from `fromMs` on at which a poll may be stored; null when there is none. */
  nextPollMs(node: number, fromMs: number): number | null {
    const row = this.#reader
      .prepare(
        `SELECT max(?2, from_ms) AS at_ms FROM health_block
         WHERE node_ref = ?1 AND from_ms >= ?2 - ?3 AND to_ms >= ?2 ORDER BY from_ms LIMIT 1`,
      )
      .get(node, fromMs, blockSpanMs);
    return row === undefined ? null : integerOrNull(row, 'at_ms');
  }

  /** The newest poll with a report at or before `atMs`. */
  lastReportAt(node: number, atMs: number): HistoryPoll | null {
    const rows = this.#reader
      .prepare(
        `SELECT id, from_ms, to_ms FROM health_block WHERE node_ref = ? AND from_ms <= ? AND report_count > 0
         ORDER BY from_ms DESC, id DESC`,
      )
      .iterate(node, atMs);
    let bestMs = -Infinity;
    let best: { row: SqlRow; poll: CorePoll } | null = null;
    for (const row of rows) {
      if (integer(row, 'from_ms') + blockSpanMs < bestMs) break;
      if (integer(row, 'to_ms') < bestMs) continue;
      for (const poll of this.core(row)) {
        const { hasReport, polledAtMs } = poll;
        if (!hasReport || polledAtMs > atMs) continue;
        // Of the same time the one that was recorded last.
        const isLater = best === null || integer(best.row, 'id') <= integer(row, 'id');
        if (polledAtMs < bestMs || (polledAtMs === bestMs && !isLater)) continue;
        bestMs = polledAtMs;
        best = { row, poll };
      }
    }
    if (best === null) return null;
    const { row, poll: found } = best;
    const [poll = null] = this.pollsOf(row, (each) => each === found);
    return poll?.reportJson === null ? null : poll;
  }

  /** All of the polls of `afterMs` < t ≤ `toMs`, the first `limit` of them and those of the same time as the last. */
  scan(node: number, afterMs: number, toMs: number, limit: number): HistoryPoll[] {
    const first: CorePoll[] = [];
    let nextMs = this.nextPollMs(node, afterMs + 1);
    while (nextMs !== null && nextMs <= toMs && first.length < limit) {
      const endMs = Math.min(toMs + 1, nextMs + blockSpanMs);
      first.push(...this.between(node, nextMs, endMs));
      nextMs = this.nextPollMs(node, endMs);
    }
    const lastMs = first[limit - 1]?.polledAtMs ?? toMs;
    return inOrder(
      this.#blocks(node, afterMs + 1, lastMs + 1).flatMap((row) =>
        this.pollsOf(row, ({ polledAtMs }) => polledAtMs > afterMs && polledAtMs <= lastMs),
      ),
    );
  }

  /** True when the run of a check with this time of the node's is stored. */
  hasRun(node: number, check: string, ranAtMs: number): boolean {
    const isIt = (run: { check: string; ranAtMs: number }) => run.check === check && run.ranAtMs === ranAtMs;
    const blocks = this.#reader.prepare(
      'SELECT id FROM health_block WHERE node_ref = ? AND first_ran_at_ms <= ? AND last_ran_at_ms >= ?',
    );
    return blocks
      .all(node, ranAtMs, ranAtMs)
      .some((row) => this.core(row).some(({ runs }) => runs.some(isIt)));
  }

  /** Blocks were removed or changed. */
  forget(): void {
    this.#decoded.clear();
    this.#decodedRuns = 0;
  }

  /** What is packed in a block, by a row with its `id`. */
  core(of: SqlRow): CorePoll[] {
    const id = integer(of, 'id');
    const known = this.#decoded.get(id);
    if (known !== undefined) {
      this.#decoded.delete(id);
      this.#decoded.set(id, known);
      return known;
    }
    const row = this.#reader.prepare('SELECT core FROM health_block WHERE id = ?').get(id) ?? {};
    const polls = this.readable('health_block', id, () => unpackCore(bytes(row, 'core'))) ?? [];
    this.#decoded.set(id, polls);
    this.#decodedRuns += sizeOf(polls);
    for (const [oldest, content] of this.#decoded) {
      if (this.#decodedRuns <= keptRuns) break;
      this.#decoded.delete(oldest);
      this.#decodedRuns -= sizeOf(content);
    }
    return polls;
  }

  /** The polls of a block, by a row with its `id`; null where any part of it cannot be read. */
  wholeBlock(of: SqlRow): HistoryPoll[] | null {
    const core = this.core(of);
    const polls = this.pollsOf(of, () => true);
    const isWhole = polls.every(({ reportJson }, at) => reportJson !== null || core[at]?.hasReport === false);
    return isWhole && polls.length > 0 ? polls : null;
  }

  /** The polls of a block that are wanted, by a row with its `id`; one whose report cannot be read has none. */
  pollsOf(of: SqlRow, isWanted: (poll: CorePoll) => boolean): HistoryPoll[] {
    const id = integer(of, 'id');
    const polls = this.core(of);
    const row = this.#reader.prepare('SELECT texts FROM health_block WHERE id = ?').get(id) ?? {};
    const reports = this.readable('health_block', id, () => unpackReports(bytes(row, 'texts')));
    return polls.flatMap((poll, at) => {
      if (!isWanted(poll)) return [];
      const { hasReport, ...rest } = poll;
      return [{ ...rest, reportJson: hasReport && reports !== null ? reportText(reports[at]) : null }];
    });
  }

  /**
   * What a packed part of the history says. One that cannot be unpacked says nothing (null), stays where it is, and is told of
   * by `unreadable`, unless it is a day whose hours are still there. Otherwise a single one would stop all that looks at its
   * node, upkeep of all nodes included.
   */
  readable<T>(table: 'health_block' | 'health_day', id: number, unpack: () => T): T | null {
    try {
      return unpack();
    } catch {
      if (table === 'health_day') this.unreadableDays.add(id);
      const key = `${table} ${id}`;
      const [fromMs, isLost] =
        table === 'health_block' ? ['from_ms', 'TRUE'] : [`day * ${dayMs}`, 'has_runs = 0'];
      // The names are our own.
      const where = this.#reader
        .prepare(
          `SELECT node_json ->> 'name' AS name, ${fromMs} AS from_ms FROM ${table} JOIN health_node ON health_node.id = node_ref
           WHERE ${table}.id = ? AND ${isLost}`,
        )
        .get(id);
      if (where !== undefined && !this.#unreadable.has(key)) {
        this.#unreadable.set(key, { where, wasTold: false });
      }
      return null;
    }
  }

  /** What could not be read and was not told yet; null when that is nothing. */
  unreadable(): SqlFailure | null {
    const news = [...this.#unreadable.values()].filter(({ wasTold }) => !wasTold);
    const [first] = news;
    if (first === undefined) return null;
    for (const one of news) one.wasTold = true;
    const time = new Date(integer(first.where, 'from_ms')).toISOString().slice(0, 16).replace('T', ' ');
    const parts = news.length === 1 ? '1 part' : `${news.length} parts`;
    const words = `${parts} of the history cannot be read and will count as not known`;
    return new SqlFailure('corrupt', `${words} (first: ${text(first.where, 'name')}, ${time} UTC)`);
  }

  #blocks(node: number, fromMs: number, toMs: number): SqlRow[] {
    return this.#reader
      .prepare(
        `SELECT id, from_ms FROM health_block WHERE node_ref = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ?
         ORDER BY from_ms, id`,
      )
      .all(node, fromMs - blockSpanMs, toMs, fromMs);
  }
}

/** In runs; a poll without any takes room as well. */
function sizeOf(polls: readonly CorePoll[]): number {
  let count = polls.length;
  for (const { runs } of polls) count += runs.length;
  return count;
}

/** No block reaches over more than this. */
export const blockSpanMs = 3_600_000;

function inOrder<T extends { polledAtMs: number }>(polls: T[]): T[] {
  return polls.sort((a, b) => a.polledAtMs - b.polledAtMs);
}

/** The earliest moment that polls tell of, and the times of their runs as the node gave them. */
export function reachOf(polls: readonly { polledAtMs: number; runs: readonly { ranAtMs: number }[] }[]): {
  firstAtMs: number;
  firstRanAtMs: number | null;
  lastRanAtMs: number | null;
} {
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
