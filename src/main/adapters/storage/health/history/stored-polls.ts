import { pollDocument } from '../../documents.ts';
import { oldestRunMs, runTimeMs } from '../../../../../shared/health/uptime.ts';
import { bytes, integer, integerOrNull, text, json } from '../../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlRow } from '../../sqlite/sql.ts';
import { unpackBlock, unpackCore, type CorePoll, type HistoryPoll } from './block.ts';
import { dayMs, type Slice } from './day.ts';

/** Decoded runs that are kept: two days or three of an ordinary node, since what is looked at is looked at again. */
const keptRuns = 100_000;

/** Reads stored polls, wherever they lie: in rows or in blocks. */
export class StoredPolls {
  readonly #reader: SqlReader;
  /** The one that was used last is at the end. */
  readonly #decoded = new Map<number, CorePoll[]>();
  #decodedRuns = 0;
  /** What could not be read since the store was opened, and whether that was told. */
  readonly #unreadable = new Map<string, { where: SqlRow; wasTold: boolean }>();

  constructor(reader: SqlReader) {
    this.#reader = reader;
  }

  /** The polls of `fromMs` ≤ t < `toMs` in order of time, then of recording. */
  between(node: number, fromMs: number, toMs: number): CorePoll[] {
    const polls = this.#blocks(node, fromMs, toMs).flatMap((row) => this.core(row));
    const recent = this.#reader
      .prepare(
        `SELECT poll_json FROM health_recent
         WHERE node_ref = ? AND polled_at_ms >= ? AND polled_at_ms < ? ORDER BY polled_at_ms, id`,
      )
      .all(node, fromMs, toMs)
      .map(toRecentCore);
    const found = polls.filter((poll) => poll.polledAtMs >= fromMs && poll.polledAtMs < toMs);
    return inOrder([...found, ...recent]);
  }

  /** The polls of a span, and those after it up to the last one that saw a run of the span. */
  about(node: number, fromMs: number, toMs: number): CorePoll[] {
    const blocks = this.#reader
      .prepare(
        `SELECT max(to_ms) AS last_ms FROM health_block
         WHERE node_ref = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ? AND first_at_ms < ?`,
      )
      .get(node, toMs - blockSpanMs, toMs + oldestRunMs, toMs, toMs);
    const recent = this.#reader
      .prepare(
        `SELECT max(polled_at_ms) AS last_ms FROM health_recent
         WHERE node_ref = ? AND polled_at_ms >= ? AND polled_at_ms < ? AND first_at_ms < ?`,
      )
      .get(node, toMs, toMs + oldestRunMs, toMs);
    let lastMs = toMs - 1;
    for (const row of [blocks, recent]) {
      if (row !== undefined) lastMs = Math.max(lastMs, integerOrNull(row, 'last_ms') ?? lastMs);
    }
    return this.between(node, fromMs, lastMs + 1);
  }

  /** What is known about a span, an hour at a time: a node may have thousands of checks. */
  *slices(node: number, fromMs: number, toMs: number): Generator<Slice> {
    let startMs = fromMs;
    while (startMs < toMs) {
      const nextMs = this.#nextMs(node, startMs);
      // Nothing lies before it, so that one slice is enough.
      const emptyToMs = Math.min(toMs, nextMs ?? toMs);
      const endMs = emptyToMs > startMs ? emptyToMs : Math.min(toMs, startMs + blockSpanMs);
      yield { fromMs: startMs, toMs: endMs, polls: this.about(node, startMs, endMs) };
      startMs = endMs;
    }
  }

  /** The first moment from `fromMs` on of which something may be stored: a run lies a day before its poll at most. */
  #nextMs(node: number, fromMs: number): number | null {
    const row = this.#reader
      .prepare(
        `SELECT max(?2, min(at_ms) - ?3) AS at_ms FROM (
           SELECT min(polled_at_ms) AS at_ms FROM health_recent WHERE node_ref = ?1 AND polled_at_ms >= ?2
           UNION ALL SELECT * FROM (
             SELECT from_ms FROM health_block WHERE node_ref = ?1 AND from_ms >= ?2 - ?4 AND to_ms >= ?2
             ORDER BY from_ms LIMIT 1))`,
      )
      .get(node, fromMs, oldestRunMs, blockSpanMs);
    return row === undefined ? null : integerOrNull(row, 'at_ms');
  }

  /** The newest poll with a report at or before `atMs`. */
  lastReportAt(node: number, atMs: number): HistoryPoll | null {
    const recent = this.#reader
      .prepare(
        `${selectRecent} WHERE node_ref = ? AND polled_at_ms <= ? AND report_json IS NOT NULL
         ORDER BY polled_at_ms DESC, id DESC LIMIT 1`,
      )
      .get(node, atMs);
    // Blocks of different hours do not overlap, so the first one nearly always decides.
    const rows = this.#reader
      .prepare(
        `SELECT id, from_ms FROM health_block WHERE node_ref = ? AND from_ms <= ? AND report_count > 0
         ORDER BY from_ms DESC, id DESC`,
      )
      .iterate(node, atMs);
    let bestMs = recent === undefined ? -Infinity : integer(recent, 'polled_at_ms');
    let best: { id: number; at: number } | null = null;
    for (const row of rows) {
      if (integer(row, 'from_ms') + blockSpanMs < bestMs) break;
      for (const [at, { hasReport, polledAtMs }] of this.core(row).entries()) {
        if (!hasReport || polledAtMs > atMs) continue;
        const id = integer(row, 'id');
        // Of the same time the one that was recorded last.
        if (polledAtMs < bestMs || (polledAtMs === bestMs && (best === null || best.id > id))) continue;
        bestMs = polledAtMs;
        best = { id, at };
      }
    }
    if (best === null) return recent === undefined ? null : toRecent(recent);
    return this.pollsOf(best.id)[best.at] ?? null;
  }

  /** All of the polls of `afterMs` < t ≤ `toMs`, the first `limit` of them and those of the same time as the last. */
  scan(node: number, afterMs: number, toMs: number, limit: number): HistoryPoll[] {
    const blocks = this.#blocks(node, afterMs + 1, toMs + 1);
    const isInSpan = ({ polledAtMs }: { polledAtMs: number }) => polledAtMs > afterMs && polledAtMs <= toMs;
    let packed: HistoryPoll[] = [];
    let endMs = toMs;
    for (const [index, row] of blocks.entries()) {
      const content = this.pollsOf(integer(row, 'id'), isInSpan);
      packed = [...packed, ...content];
      const next = blocks[index + 1];
      if (packed.length <= limit || next === undefined) continue;
      // What follows begins later, unless it overlaps.
      const nextMs = integer(next, 'from_ms');
      if (packed.filter(({ polledAtMs }) => polledAtMs < nextMs).length <= limit) continue;
      endMs = nextMs - 1;
      break;
    }
    const recent = this.#reader
      .prepare(
        `${selectRecent} WHERE node_ref = ? AND polled_at_ms > ? AND polled_at_ms <= ? ORDER BY polled_at_ms, id LIMIT ?`,
      )
      .all(node, afterMs, endMs, limit + 1_000)
      .map(toRecent);
    const polls = inOrder([...packed.filter(({ polledAtMs }) => polledAtMs <= endMs), ...recent]);
    let count = Math.min(limit, polls.length);
    while (count > 0 && polls[count]?.polledAtMs === polls[count - 1]?.polledAtMs) {
      if (polls[count] === undefined) break;
      count += 1;
    }
    return polls.slice(0, count);
  }

  /** True when the run of a check with this time of the node's is stored. */
  hasRun(node: number, check: string, ranAtMs: number): boolean {
    const isIt = (run: { check: string; ranAtMs: number }) => run.check === check && run.ranAtMs === ranAtMs;
    const range = 'node_ref = ? AND first_ran_at_ms <= ? AND last_ran_at_ms >= ?' as const;
    const recent = this.#reader.prepare(`SELECT poll_json FROM health_recent WHERE ${range}`);
    for (const row of recent.iterate(node, ranAtMs, ranAtMs))
      if (toRecentCore(row).runs.some(isIt)) return true;
    const blocks = this.#reader.prepare(`SELECT id FROM health_block WHERE ${range}`);
    for (const row of blocks.all(node, ranAtMs, ranAtMs)) {
      if (this.core(row).some(({ runs }) => runs.some(isIt))) return true;
    }
    return false;
  }

  /** Blocks were removed. */
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
    const polls = this.readable('health_block', id, () => unpackCore(bytes(row, 'core')), []);
    this.#decoded.set(id, polls);
    this.#decodedRuns += runCount(polls);
    for (const [oldest, content] of this.#decoded) {
      if (this.#decodedRuns <= keptRuns) break;
      this.#decoded.delete(oldest);
      this.#decodedRuns -= runCount(content);
    }
    return polls;
  }

  /** All of the polls of a block, or those that are wanted. */
  pollsOf(block: number, isWanted?: (poll: CorePoll) => boolean): HistoryPoll[] {
    const row = this.#reader.prepare('SELECT core, texts FROM health_block WHERE id = ?').get(block) ?? {};
    const content = { core: bytes(row, 'core'), texts: bytes(row, 'texts') };
    return this.readable('health_block', block, () => unpackBlock(content, isWanted), []);
  }

  /**
   * What a packed part of the history says; one that cannot be unpacked says nothing, stays where it is, and is told of by
   * `unreadable`. Otherwise a single one would stop all that looks at its node, upkeep of all nodes included.
   */
  readable<T>(table: 'health_block' | 'health_day', id: number, unpack: () => T, otherwise: T): T {
    try {
      return unpack();
    } catch {
      const key = `${table} ${id}`;
      const fromMs = table === 'health_block' ? 'from_ms' : `day * ${dayMs}`;
      if (!this.#unreadable.has(key)) {
        // The names are our own.
        const where = this.#reader
          .prepare(
            `SELECT node_json ->> 'name' AS name, ${fromMs} AS from_ms FROM ${table} JOIN health_node ON health_node.id = node_ref
             WHERE ${table}.id = ?`,
          )
          .get(id);
        this.#unreadable.set(key, { where: where ?? {}, wasTold: false });
      }
      return otherwise;
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

function runCount(polls: readonly CorePoll[]): number {
  let count = 0;
  for (const { runs } of polls) count += runs.length;
  return count;
}

/** No block reaches over more than this. */
export const blockSpanMs = 3_600_000;

// ---- Rows ------------------------------------------------------------------------------------------------------------

export const selectRecent = 'SELECT id, polled_at_ms, poll_json, report_json FROM health_recent' as const;

/** The column `poll_json`: everything but the report. */
export function recentJson(poll: HistoryPoll): string {
  const { reportJson, ...rest } = poll;
  const core: CorePoll = { ...rest, hasReport: reportJson !== null };
  return JSON.stringify(core);
}

function toRecentCore(row: SqlRow): CorePoll {
  return json(row, 'poll_json', pollDocument);
}

/** A row of `selectRecent`. */
export function toRecent(row: SqlRow): HistoryPoll {
  const { hasReport, ...rest } = toRecentCore(row);
  return { ...rest, reportJson: hasReport ? text(row, 'report_json') : null };
}

function inOrder<T extends { polledAtMs: number }>(polls: T[]): T[] {
  return polls.sort((a, b) => a.polledAtMs - b.polledAtMs);
}

/** The earliest moment that a poll tells of, and the times of its runs as the node gave them. */
export function reachOf(poll: { polledAtMs: number; runs: readonly { ranAtMs: number }[] }): {
  firstAtMs: number;
  firstRanAtMs: number | null;
  lastRanAtMs: number | null;
} {
  let firstAtMs = poll.polledAtMs;
  let firstRanAtMs: number | null = null;
  let lastRanAtMs: number | null = null;
  for (const { ranAtMs } of poll.runs) {
    firstAtMs = Math.min(firstAtMs, runTimeMs(ranAtMs, poll.polledAtMs));
    firstRanAtMs = Math.min(firstRanAtMs ?? ranAtMs, ranAtMs);
    lastRanAtMs = Math.max(lastRanAtMs ?? ranAtMs, ranAtMs);
  }
  return { firstAtMs, firstRanAtMs, lastRanAtMs };
}
