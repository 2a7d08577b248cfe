import { ok, type AppError } from '../../../shared/errors.ts';
import type { ReportAt, ReportMoment } from '../../../shared/health/types.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { Action } from './action.svelte.ts';

/** How many times faster than real time. */
export type ReplaySpeed = 1 | 10 | 100;

/** Longer gaps without a change are played as if they had lasted half a minute. */
const longestGapMs = 30_000;
/** So that each change can be seen. */
const shortestWaitMs = 150;

/** How long the next change waits on the screen for a gap between two changes. */
export function replayWaitMs(gapMs: number, speed: ReplaySpeed): number {
  return Math.max(shortestWaitMs, Math.min(longestGapMs, gapMs) / speed);
}

/** The last moment that is not later than `atMs`; -1 before the first. Moments are in order of time. */
export function momentIndexAt(moments: readonly ReportMoment[], atMs: number): number {
  return moments.findLastIndex((moment) => moment.atMs <= atMs);
}

export interface Span {
  fromMs: number;
  toMs: number;
}

interface Changes {
  moments: readonly ReportMoment[];
  isCut: boolean;
}

const momentsAtOnce = 20_000;
/** Enough for more than a year of a node polled every 40 s whose every report differs from the one before. */
const mostParts = 40;

/** All changes of a span, asked for in parts. */
async function readChanges(id: string, { fromMs, toMs }: Span, signal: AbortSignal): Reply<Changes> {
  let changes: Changes = { moments: [], isCut: true };
  let nextMs = fromMs;
  for (let parts = 0; changes.isCut && parts < mostParts && !signal.aborted; parts += 1) {
    const part = await call('nodes.moments', { id, fromMs: nextMs, toMs, limit: momentsAtOnce });
    if (!part.ok) return part;
    const { moments, isCut } = part.value;
    changes = { moments: changes.moments.concat(moments), isCut: isCut && moments.length > 0 };
    nextMs = (moments.at(-1)?.atMs ?? toMs) + 1;
  }
  return ok(changes);
}

/** The stored reports of a node or a recording, one after the other. */
export class Replay {
  /** Index of the shown change; -1 if there is none, or before the first. */
  index = $state(-1);
  /** The time that is shown: that of a change, or a later one at which it was still the last. Null without any. */
  atMs = $state<number | null>(null);
  playing = $state(false);
  speed = $state<ReplaySpeed>(10);
  readonly #changes: Action<[id: string, span: Span], Changes> = new Action(
    (id, span) => readChanges(id, span, this.#changes.signal),
    (id) => id,
  );
  readonly #report: Action<[id: string, atMs: number], ReportAt | null> = new Action(
    (id, atMs) => call('nodes.reportAt', { id, atMs }),
    (id) => id,
  );
  #id = '';
  /** What was asked for last, which a span that is still read will show: a time, or null for the newest change. */
  wantedMs: number | null = null;

  /** Null until they are known. */
  get moments(): readonly ReportMoment[] | null {
    return this.#changes.value?.moments ?? null;
  }

  /** There are more changes than are read for one span. */
  get isCut(): boolean {
    return this.#changes.value?.isCut ?? false;
  }

  get moment(): ReportMoment | null {
    return this.moments?.[this.index] ?? null;
  }

  /** The report at the shown moment; while it is read, the previous one stays, but not where it cannot be read. */
  get report(): ReportAt | null {
    if (this.moments === null || this.atMs === null || this.error !== null) return null;
    return this.#report.value ?? null;
  }

  /** Whether the stored reports of the shown time have been read, even if there are none. */
  get isKnown(): boolean {
    return this.#report.value !== undefined && !this.#report.running && this.error === null;
  }

  get error(): AppError | null {
    return this.#changes.error ?? (this.atMs === null ? null : this.#report.error);
  }

  /** How long until the next change is to be shown; null while nothing plays. */
  get waitMs(): number | null {
    const next = this.moments?.[this.index + 1];
    if (!this.playing || this.atMs === null || next === undefined) return null;
    return replayWaitMs(next.atMs - this.atMs, this.speed);
  }

  /** Loads the changes of a span and shows `atMs`, or the newest change, or what is asked for meanwhile. */
  async load(id: string, span: Span, atMs: number | null): Promise<void> {
    this.playing = false;
    this.#id = id;
    this.wantedMs = atMs;
    const changes = await this.#changes.refresh(id, span);
    // Another span may have been asked for meanwhile.
    if (!changes.ok || changes.value !== this.#changes.value) return;
    const { moments } = changes.value;
    const { wantedMs } = this;
    await (wantedMs === null ? this.go(moments.length - 1) : this.goTo(wantedMs));
  }

  /** Shows the moment at a place; a place beyond an end means that end, and stops the play. */
  async go(index: number): Promise<void> {
    const last = (this.moments?.length ?? 0) - 1;
    const at = Math.min(Math.max(0, index), last);
    if (at === last) this.playing = false;
    this.wantedMs = at === last ? null : (this.moments?.[at]?.atMs ?? null);
    await this.#show(at, this.moments?.[at]?.atMs ?? null);
  }

  /** Shows what the node said at a time: its last report until then. */
  async goTo(atMs: number): Promise<void> {
    this.playing = false;
    this.wantedMs = atMs;
    const moments = this.moments ?? [];
    await this.#show(momentIndexAt(moments, atMs), moments.length === 0 ? null : atMs);
  }

  /** Shows the first change, if nothing was stored at the shown time. */
  async skipToFirst(): Promise<void> {
    if (this.index < 0 && this.isKnown && this.report === null) await this.go(0);
  }

  play(): void {
    const last = (this.moments?.length ?? 0) - 1;
    if (last < 1) return;
    if (this.index >= last) void this.go(0);
    this.playing = true;
  }

  async #show(index: number, atMs: number | null): Promise<void> {
    this.index = index;
    this.atMs = atMs;
    // Between two changes the report is that of the first; before all of the span it is an older one.
    if (atMs !== null) await this.#report.refresh(this.#id, this.moment?.atMs ?? atMs);
  }
}
