import type { AppError } from '../../../shared/errors.ts';
import type { ReportAt, ReportMoment } from '../../../shared/health/types.ts';
import { call } from '../bridge.ts';

/** How many times faster than it happened. */
export type ReplaySpeed = 1 | 10 | 100;

/** Nobody waits through a night in which nothing happened: a longer gap is played as one of half a minute, in its speed. */
const longestGapMs = 30_000;
/** So that each change can be seen. */
const shortestWaitMs = 150;

/** How long the next change waits on the screen for a gap between two changes. */
export function replayWaitMs(gapMs: number, speed: ReplaySpeed): number {
  return Math.max(shortestWaitMs, Math.min(longestGapMs, gapMs) / speed);
}

/** The last moment that is not later than `atMs`; -1 before the first. Moments are in order of time. */
export function momentIndexAt(moments: readonly ReportMoment[], atMs: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const moment = moments[middle];
    if (moment !== undefined && moment.atMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Runs something after a while; returns what takes that back. */
export type Wait = (ms: number, run: () => void) => () => void;

const momentsAtOnce = 20_000;
/** Beyond a year of a node whose every report differs from the one before, asked every 40 s. */
const mostPages = 40;
const keptReports = 200;

/** The stored reports of a node or a recording, one after the other. */
export class Replay {
  moments = $state.raw<ReportMoment[] | null>(null);
  /** There are more changes than one span may hold. */
  isCut = $state(false);
  index = $state(-1);
  /** The report at the chosen moment; the one before stays while it is read. */
  report = $state.raw<ReportAt | null>(null);
  playing = $state(false);
  speed = $state<ReplaySpeed>(10);
  error = $state.raw<AppError | null>(null);

  readonly #wait: Wait;
  #id = '';
  #epoch = 0;
  #asked = 0;
  #stopWaiting: (() => void) | null = null;
  readonly #reports = new Map<number, ReportAt | null>();

  constructor(wait: Wait) {
    this.#wait = wait;
  }

  get moment(): ReportMoment | null {
    return this.moments?.[this.index] ?? null;
  }

  /** Loads the changes of a span; stands at the last one that is not later than `atMs`, or at the newest. */
  async load(id: string, span: { fromMs: number; toMs: number }, atMs: number | null): Promise<void> {
    this.pause();
    this.#epoch += 1;
    const epoch = this.#epoch;
    if (id !== this.#id) {
      this.#reports.clear();
      this.report = null;
      this.moments = null;
    }
    this.#id = id;
    let moments: ReportMoment[] = [];
    let isCut = true;
    let { fromMs } = span;
    for (let pages = 0; isCut && pages < mostPages; pages += 1) {
      const result = await call('nodes.moments', { id, fromMs, toMs: span.toMs, limit: momentsAtOnce });
      if (epoch !== this.#epoch) return;
      this.error = result.ok ? null : result.error;
      if (!result.ok) return;
      const page = result.value.moments;
      moments = moments.concat(page);
      fromMs = (page.at(-1)?.atMs ?? span.toMs) + 1;
      isCut = result.value.isCut && page.length > 0;
    }
    this.moments = moments;
    this.isCut = isCut;
    const last = moments.length - 1;
    await this.go(atMs === null ? last : Math.max(0, momentIndexAt(moments, atMs)));
  }

  /** Shows the report at a moment by its place; beyond an end it is the end. */
  async go(index: number): Promise<void> {
    const last = (this.moments?.length ?? 0) - 1;
    this.index = Math.min(Math.max(0, index), last);
    const { moment } = this;
    if (moment === null) {
      this.report = null;
      return;
    }
    this.#asked += 1;
    const asked = this.#asked;
    const report = await this.#reportAt(moment.atMs);
    // The slider has moved on meanwhile.
    if (asked === this.#asked && report !== undefined) this.report = report;
  }

  play(): void {
    const last = (this.moments?.length ?? 0) - 1;
    if (last < 1) return;
    this.playing = true;
    if (this.index >= last) void this.go(0);
    this.#plan();
  }

  pause(): void {
    this.playing = false;
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  setSpeed(speed: ReplaySpeed): void {
    this.speed = speed;
    if (this.playing) this.#plan();
  }

  #plan(): void {
    this.#stopWaiting?.();
    const next = this.moments?.[this.index + 1];
    const { moment } = this;
    if (next === undefined || moment === null) {
      this.pause();
      return;
    }
    this.#stopWaiting = this.#wait(replayWaitMs(next.atMs - moment.atMs, this.speed), () => {
      void this.go(this.index + 1);
      this.#plan();
    });
  }

  /** Undefined when it could not be read. */
  async #reportAt(atMs: number): Promise<ReportAt | null | undefined> {
    const known = this.#reports.get(atMs);
    if (known !== undefined) return known;
    const id = this.#id;
    const result = await call('nodes.reportAt', { id, atMs });
    this.error = result.ok ? null : result.error;
    if (!result.ok) return undefined;
    if (id !== this.#id) return undefined;
    const [oldest] = this.#reports.keys();
    if (this.#reports.size >= keptReports && oldest !== undefined) this.#reports.delete(oldest);
    this.#reports.set(atMs, result.value);
    return result.value;
  }
}
