import { noAnswer } from '../../../shared/health/no-answer.ts';
import { AppFailure, err, ok, type Result } from '../../../shared/errors.ts';
import {
  RecordingReader,
  recordingLimits,
  RecordingWriter,
  type RecordingHead,
  type RecordingPoll,
} from '../../../shared/health/recording-lines.ts';
import { parseStoredReport } from '../../../shared/health/stored-report.ts';
import type { CheckReport, HealthReport, RecordingInfo } from '../../../shared/health/types.ts';
import type { HealthStore, StoredEpisode, StoredPoll } from '../health-ports.ts';
import type { Clock, FileOpener, FileSaver, Log, Random } from '../ports.ts';
import { boundNames, type CheckNames } from './check-names.ts';
import { foldAnswer, restoreHistory, type History } from './history.ts';
import { allEpisodesIn, scanPolls } from './incident-reader.ts';
import { chainChecksOfSource, endOfTimeMs, type PastSource } from './past-source.ts';
import type { PollAnswer } from './poller.ts';
import { EpisodeIds } from './recording-episode-ids.ts';
import { RecordingTasks } from './recording-task.ts';
import { fileNameOf, resultOf } from './user-files.ts';

export interface RecordingDeps {
  /** The source of a node or of a recording; null for an id that is neither. */
  findSource: (id: string) => PastSource | null;
  /** An empty store in memory for one recording. */
  createStore: () => HealthStore;
  saver: FileSaver;
  opener: FileOpener;
  clock: Pick<Clock, 'monotonicMs'>;
  random: Random;
  log: Log;
}

/**
 * Writes stored polls to a file, and rebuilds a past from such a file, by the same folding of answers into runs and
 * episodes that live polls take.
 */
export class RecordingService {
  readonly tasks: RecordingTasks;
  readonly #deps: RecordingDeps;
  readonly #opened = new Map<string, { info: RecordingInfo; source: PastSource }>();

  constructor(deps: RecordingDeps) {
    this.tasks = new RecordingTasks(deps.clock);
    this.#deps = deps;
  }

  /** Recordings that are open, in the order in which they were opened. */
  list(): RecordingInfo[] {
    return [...this.#opened.values()].map(({ info }) => info);
  }

  source(id: string): PastSource | null {
    return this.#opened.get(id)?.source ?? null;
  }

  close(id: string): Result<null> {
    return this.#opened.delete(id)
      ? ok(null)
      : err({ code: 'not-found', message: 'This recording is not open (any more).' });
  }

  /** Null when the user chose no place. */
  save(args: {
    id: string;
    fromMs: number;
    toMs: number;
  }): Promise<Result<{ path: string; reportCount: number } | null>> {
    return resultOf(this.#deps.log, 'recordings.save', 'The recording could not be written.', async () => {
      const source = this.#deps.findSource(args.id);
      if (source === null) return err({ code: 'not-found', message: 'This node is not watched (any more).' });
      const [fromMs, toMs] = [Math.floor(args.fromMs), Math.ceil(args.toMs)];
      if (!(toMs >= fromMs)) {
        return err({
          code: 'invalid-params',
          message: 'A span needs an end after its start.',
          issues: ['toMs'],
        });
      }
      return await this.tasks.during('save', async () => {
        const path = await this.#deps.saver.choose(fileNameOf(source.name, fromMs, 'jsonl.gz'), 'jsonl.gz');
        if (path === null) return ok(null);
        const counter = { reports: 0 };
        await this.#deps.saver.write(path, this.#lines(source, fromMs, toMs, counter), 'gzip');
        return ok({ path, reportCount: counter.reports });
      });
    });
  }

  /** Null when the user chose no file. Every file that is not a whole recording is refused in words. */
  open(): Promise<Result<RecordingInfo | null>> {
    const words = 'The recording could not be read.';
    return resultOf(this.#deps.log, 'recordings.open', words, () =>
      this.tasks.during('open', async () => {
        const path = await this.#deps.opener.choose('jsonl.gz');
        if (path === null) return ok(null);
        const opened = await this.#read(path);
        this.#opened.set(opened.info.id, opened);
        return ok(opened.info);
      }),
    );
  }

  // ---- Writing -----------------------------------------------------------------------------------------------------

  async *#lines(
    source: PastSource,
    fromMs: number,
    toMs: number,
    counter: { reports: number },
  ): AsyncGenerator<string> {
    const { id, name, store } = source;
    const before = await store.readPollAt(id, fromMs - 1);
    // What lasts to the end of the span began before it or in it.
    const episodes = await allEpisodesIn(source, before?.polledAtMs ?? fromMs, toMs + 1);
    const history = await historyAt(source, before, fromMs, episodes);
    const writer = new RecordingWriter();
    let bytes = 0;
    const counted = (line: string): string => {
      bytes += line.length;
      if (bytes > recordingLimits.textBytes || line.length > recordingLimits.lineBytes) throw tooMuch();
      return line;
    };
    yield counted(
      writer.head({
        nodeName: name.slice(0, 200),
        fromMs,
        toMs,
        chainChecks: [...(await chainChecksOfSource(source))].slice(0, recordingLimits.checksInReport),
        before: before === null ? null : recordedPoll(before, reportOf(before)),
        open: await this.#openAtStart(source, fromMs, history, episodes),
        marks: await store.readIncidentMarks(id),
      }),
    );
    const ids = new EpisodeIds(episodes);
    let folded = history;
    let polls = 0;
    for await (const poll of scanPolls(source, fromMs - 1, toMs)) {
      polls += 1;
      if (polls > recordingLimits.polls) throw tooMuch();
      this.tasks.step((poll.polledAtMs - fromMs) / (toMs - fromMs + 1));
      const begun: string[] = [];
      const report = reportOf(poll);
      if (report !== null) counter.reports += 1;
      const answer = toAnswer(poll, report);
      const step = foldAnswer(id, folded, answer, () => {
        const place = `new-${begun.length}`;
        begun.push(place);
        return place;
      });
      const episodeIds = begun.map((place) => {
        const episode = step.poll.episodes.find((each) => each.id === place);
        return (episode && ids.take(episode)) ?? this.#deps.random.id();
      });
      folded = withIds(step.history, begun, episodeIds);
      yield counted(writer.poll({ ...recordedPoll(poll, report), episodeIds }));
    }
    yield writer.end();
  }

  /**
   * The episodes that last at the start, as they were then: the store has them as they are now, so the failures that the
   * polls since the start have added are taken off again. A largest count that none of these gave is an earlier one.
   */
  async #openAtStart(
    source: PastSource,
    fromMs: number,
    { open, ...history }: History,
    episodes: readonly StoredEpisode[],
  ): Promise<RecordingHead['open']> {
    if (open.size === 0) return [];
    const added = new Map<string, number>();
    const counts = new Map<string, number>();
    const lasting = new Map([...open.values()].map((episode) => [episode.id, episode]));
    let folded: History = { ...history, open };
    for await (const poll of scanPolls(source, fromMs - 1, endOfTimeMs)) {
      this.tasks.goOn();
      const step = foldAnswer(source.id, folded, toAnswer(poll, reportOf(poll)), () => 'later');
      folded = step.history;
      for (const episode of step.poll.episodes) {
        const start = lasting.get(episode.id);
        if (start === undefined) continue;
        added.set(episode.id, episode.failuresSeen - start.failuresSeen);
        const run = step.poll.runs.find(({ check, state }) => check === episode.check && state === 'fail');
        counts.set(episode.id, Math.max(counts.get(episode.id) ?? 0, run?.contiguousFailures ?? 0));
        if (episode.endedAtMs !== null) lasting.delete(episode.id);
      }
      if (lasting.size === 0) break;
    }
    const largest = new Map(episodes.map(({ id, failuresReported }) => [id, failuresReported ?? 0]));
    const earlier = ({ id, failuresReported }: StoredEpisode): number | null => {
      const known = largest.get(id) ?? 0;
      return known > (counts.get(id) ?? 0) ? known : failuresReported;
    };
    return [...open.values()].map((episode) => ({
      id: episode.id,
      check: episode.check,
      startedAtMs: episode.startedAtMs,
      startKnownFrom: episode.startKnownFrom,
      failuresSeen: Math.max(1, episode.failuresSeen - (added.get(episode.id) ?? 0)),
      failuresReported: earlier(episode),
      firstError: episode.firstError,
      lastError: episode.lastError,
    }));
  }

  // ---- Reading -----------------------------------------------------------------------------------------------------

  async #read(path: string): Promise<{ info: RecordingInfo; source: PastSource }> {
    const { opener, createStore, random } = this.#deps;
    const reader = new RecordingReader();
    const id = random.id();
    const store = createStore();
    let head: RecordingHead | null = null;
    let history: History | null = null;
    let names: CheckNames = new Map();
    let reportCount = 0;
    let isWhole = false;
    for await (const line of opener.readLines(path, recordingLimits)) {
      if (isWhole) throw badFile('Something follows its end.');
      const read = reader.read(line);
      if (read.kind === 'refused') throw badFile(read.words);
      if (read.kind === 'end') isWhole = true;
      else if (read.kind === 'head') {
        head = read.head;
        history = await begin(store, id, read.head, read.before);
      } else if (head !== null && history !== null) {
        this.tasks.step((read.poll.atMs - head.fromMs) / (head.toMs - head.fromMs + 1));
        const given = [...read.poll.episodeIds];
        const bounded = read.report === null ? null : boundNames(names, read.report, read.poll.atMs);
        names = bounded?.names ?? names;
        const answer = toAnswer({ ...read.poll, polledAtMs: read.poll.atMs }, bounded?.report ?? null);
        const step = foldAnswer(id, history, answer, () => given.shift() ?? random.id());
        await store.recordPoll(step.poll);
        history = step.history;
        if (read.report !== null) reportCount += 1;
      }
    }
    if (head === null || !isWhole) throw badFile('It is cut off.');
    const { nodeName, fromMs, toMs, chainChecks } = head;
    return {
      info: { id, nodeName, fromMs, toMs, reportCount, path },
      source: { id, name: nodeName, store, chainChecks },
    };
  }
}

/** Puts into an empty store what was there before the first poll. */
async function begin(
  store: HealthStore,
  id: string,
  head: RecordingHead,
  report: HealthReport | null,
): Promise<History> {
  await store.putNode({
    id,
    name: head.nodeName,
    url: '',
    intervalMs: null,
    tags: [],
    headerNames: [],
    paused: true,
    addedAtMs: head.fromMs,
    previousNodeId: null,
    tagChecks: [],
  });
  const open = head.open.map((episode): StoredEpisode => ({
    ...episode,
    endedAtMs: null,
    endKnownFrom: null,
  }));
  if (head.before !== null) {
    const { atMs, ...poll } = head.before;
    await store.recordPoll({ ...poll, nodeId: id, polledAtMs: atMs, runs: [], episodes: open });
  }
  for (const mark of head.marks) await store.putIncidentMark(id, mark);
  return restoreHistory(report, head.before?.atMs ?? head.fromMs, open);
}

/** The history as it was after the poll `before`, and of silence at `fromMs`, out of episodes as they are now. */
async function historyAt(
  source: PastSource,
  before: StoredPoll | null,
  fromMs: number,
  episodes: readonly StoredEpisode[],
): Promise<History> {
  const silence = episodes
    .filter(({ check, startedAtMs }) => check === noAnswer && startedAtMs < fromMs)
    .filter(({ endedAtMs, failuresSeen }) => failuresSeen > 0 && (endedAtMs ?? fromMs) >= fromMs)
    .map((episode) => ({ ...episode, endedAtMs: null, endKnownFrom: null, lastError: episode.firstError }));
  if (before === null) return restoreHistory(null, 0, silence);
  const report = reportOf(before);
  const bare = restoreHistory(report, before.polledAtMs, []);
  const open = new Map<string, StoredEpisode>();
  // Newest start first, so the first that fits is the one.
  for (const episode of episodes) {
    if (episode.check === noAnswer || open.has(episode.check) || episode.startedAtMs > before.polledAtMs)
      continue;
    const seen = bare.seen.get(episode.check);
    const hasEnded = episode.endedAtMs !== null && episode.endedAtMs <= (seen?.ranAtMs ?? before.polledAtMs);
    if (seen?.state === 'pass' || hasEnded) continue;
    const last = await lastFailure(source, episode, before.polledAtMs);
    open.set(episode.check, {
      ...episode,
      endedAtMs: null,
      endKnownFrom: null,
      failuresReported: last?.contiguousFailures ?? null,
      lastError: last?.error ?? episode.firstError,
    });
  }
  return restoreHistory(report, before.polledAtMs, [...open.values(), ...silence]);
}

/** Reports that are looked through for a check that has gone from them. */
const mostLookedBack = 1_000;

/** The check as the node last reported it failing in this episode, by `atMs`; null when that cannot be found. */
async function lastFailure(
  { id, store }: PastSource,
  { check, startedAtMs }: StoredEpisode,
  atMs: number,
): Promise<CheckReport | null> {
  let doneMs = atMs;
  for (let looked = 0; looked < mostLookedBack && doneMs >= startedAtMs; looked += 1) {
    const poll = await store.readPollAt(id, doneMs);
    if (poll === null) return null;
    const found = reportOf(poll)?.checks.find(({ name, state }) => name === check && state === 'fail');
    if (found !== undefined) return found;
    doneMs = poll.polledAtMs - 1;
  }
  return null;
}

function withIds(history: History, places: readonly string[], ids: readonly string[]): History {
  if (places.length === 0) return history;
  const idOf = new Map(places.map((place, index) => [place, ids[index] ?? place]));
  const open = [...history.open].map(
    ([check, episode]) => [check, { ...episode, id: idOf.get(episode.id) ?? episode.id }] as const,
  );
  return { ...history, open: new Map(open) };
}

function reportOf(poll: StoredPoll): HealthReport | null {
  return poll.reportJson === null ? null : parseStoredReport(poll.reportJson);
}

/** A report that can no longer be read is none. */
function recordedPoll(poll: StoredPoll, report: HealthReport | null): Omit<RecordingPoll, 'episodeIds'> {
  const { polledAtMs, state, reason, reportedNodeId, reportJson } = poll;
  return { atMs: polledAtMs, state, reason, reportedNodeId, reportJson: report === null ? null : reportJson };
}

/** A stored poll as the answer that it was. */
function toAnswer(
  {
    polledAtMs,
    state,
    reason,
    reportedNodeId,
  }: Pick<StoredPoll, 'polledAtMs' | 'state' | 'reason' | 'reportedNodeId'>,
  report: HealthReport | null,
): PollAnswer {
  const rest = { targetId: '', polledAtMs, reportedNodeId };
  if (report !== null) return { ...rest, reading: { kind: 'report', report, state, reason } };
  return {
    ...rest,
    reading: {
      kind: 'no-report',
      // Without a report nothing else can be known of a node.
      state: state === 'unreachable' ? state : 'unknown',
      reason,
      error: { code: 'unreachable', message: reason },
      failure: null,
    },
  };
}

function tooMuch(): AppFailure {
  return new AppFailure({
    code: 'invalid-params',
    message: 'The span has more than a recording can hold. Choose a shorter one.',
    issues: ['fromMs'],
  });
}

function badFile(words: string): AppFailure {
  return new AppFailure({
    code: 'bad-response',
    message: `The recording could not be read. ${words}`,
    issues: [],
  });
}
