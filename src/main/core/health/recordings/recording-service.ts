import { notFound, refuse } from '../../../../shared/errors.ts';
import { runOf } from '../../../../shared/health/check-run.ts';
import { recordingLimits, RecordingWriter } from '../../../../shared/health/recording-lines.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { Thresholds } from '../../../../shared/health/incidents.ts';
import type { FailureEpisode, RecordingInfo } from '../../../../shared/health/types.ts';
import type { ArgsOf, ResultOf } from '../../../../shared/ipc/contract.ts';
import { dayMs } from '../../../../shared/time.ts';
import type { OpenedRecording, OpenRecording, StoredPoll } from '../../health-ports.ts';
import type { FileOpener, FileSaver, Ports } from '../../ports.ts';
import type { Removal } from '../../removals.ts';
import { fileNameOf } from '../../file-name.ts';
import { timeOf } from '../episodes/runs.ts';
import { readIncidents } from '../incidents/known-incidents.ts';
import { notWatched, scanPolls, type HistorySource } from '../history/history-source.ts';
import { FileTasks } from '../../file-task.ts';

export interface RecordingDeps extends Pick<Ports, 'emit' | 'random'> {
  /** The source for the id of a node or a recording; null for another id. */
  findSource: (id: string) => HistorySource | null;
  openRecording: OpenRecording;
  thresholds: () => Thresholds;
  saver: FileSaver;
  opener: FileOpener;
}

interface Opened {
  info: RecordingInfo;
  recording: OpenedRecording;
  source: HistorySource;
  /** Closing it can still be undone. */
  isClosed: boolean;
}

/** Saves a span of stored history to a file, and opens such files into a store of their own. */
export class RecordingService {
  readonly tasks: FileTasks;
  readonly #deps: RecordingDeps;
  /** In the order in which they were opened. */
  readonly #opened = new Set<Opened>();
  /** What the last recording that was saved is of. */
  #savedId = '';

  constructor(deps: RecordingDeps) {
    this.tasks = new FileTasks((task) => deps.emit('recordingTask.changed', task));
    this.#deps = deps;
  }

  list(): RecordingInfo[] {
    return this.#open().map(({ info }) => info);
  }

  sources(): HistorySource[] {
    return this.#open().map(({ source }) => source);
  }

  close(id: string): Removal {
    const opened = this.#open().find(({ info }) => info.id === id) ?? notFound('This recording isn’t open.');
    this.checkRemoval(id, 'Close this one');
    opened.isClosed = true;
    return {
      putBack: () => (opened.isClosed = false),
      finish: () => {
        opened.recording.close();
        this.#opened.delete(opened);
      },
    };
  }

  #open(): Opened[] {
    return [...this.#opened].filter(({ isClosed }) => !isClosed);
  }

  /** Refuses to delete the past of which a recording is being saved: the recording would end there. */
  checkRemoval(id: string, what = 'Remove the node'): void {
    if (this.tasks.current?.kind === 'save' && id === this.#savedId)
      refuse(`A recording of this node is being saved. ${what} when it’s done, or cancel it.`, 'id');
  }

  /** Null when the user cancelled the dialog. */
  async save(args: ArgsOf<'recordings.save'>): Promise<ResultOf<'recordings.save'>> {
    const source = this.#deps.findSource(args.id) ?? notWatched();
    const [fromMs, toMs] = [Math.floor(args.fromMs), Math.ceil(args.toMs)];
    if (!(toMs >= fromMs)) refuse('The end must be after the start.', 'toMs');
    return await this.tasks.during('save', async () => {
      const { saver } = this.#deps;
      this.#savedId = source.id;
      const path = await saver.choose(fileNameOf(source.name, fromMs, 'jsonl.gz'), 'jsonl.gz');
      if (path === null) return null;
      const counter = { reports: 0 };
      await saver.write(path, this.#lines(source, fromMs, toMs, counter), 'gzip');
      return { path, reportCount: counter.reports };
    });
  }

  /** Null when the user cancelled the dialog. Throws a message for the user unless the file is a complete recording. */
  open(): Promise<RecordingInfo | null> {
    return this.tasks.during('open', async (signal) => {
      const path = await this.#deps.opener.choose('jsonl.gz');
      if (path === null) return null;
      const id = this.#deps.random.id();
      const recording = await this.#deps.openRecording({
        path,
        id,
        textBytes: this.#roomBytes(),
        signal,
        onStep: (polls, share) => {
          if (!signal.aborted) this.tasks.step(polls, share);
        },
      });
      const { nodeName, fromMs, toMs, reportCount, store, chainChecks } = recording;
      const info = { id, nodeName, fromMs, toMs, reportCount, path };
      const source = { id, name: nodeName, store, sinceMs: fromMs, untilMs: toMs, chainChecks };
      this.#opened.add({ info, recording, source, isClosed: false });
      return info;
    });
  }

  /** Bytes of text that may still be opened: all open recordings share one limit. */
  #roomBytes(): number {
    const open = this.#open().map(({ recording }) => recording.textBytes);
    const roomBytes = open.reduce((room, bytes) => room - bytes, recordingLimits.textBytes);
    if (roomBytes >= smallestRoomBytes) return roomBytes;
    refuse('The open recordings are too large to open another one. Close one first.', 'path');
  }

  /** The span's stored data: its polls, those that tell the state at its start, and the overlapping episodes as they are now. */
  async *#lines(
    source: HistorySource,
    fromMs: number,
    toMs: number,
    counter: { reports: number },
  ): AsyncGenerator<string> {
    const { id, name, store } = source;
    const before = await store.readPollAt(id, fromMs - 1);
    const known = await readIncidents(source, this.#deps.thresholds());
    const chainChecks = [...known.chainChecks].slice(0, recordingLimits.checksInReport);
    const touches = ({ startedAtMs, endedAtMs }: Pick<FailureEpisode, 'startedAtMs' | 'endedAtMs'>) =>
      startedAtMs <= toMs && (endedAtMs ?? toMs) >= fromMs;
    // Of a failure that goes on in the span, also the episodes before it.
    const parts = Map.groupBy(
      known.incidents.flatMap((incident) => incident.parts.filter(touches)),
      ({ check }) => check,
    );
    const isOfPart = ({ check, startedAtMs: atMs }: FailureEpisode) =>
      atMs < fromMs && parts.get(check)?.some((part) => part.startedAtMs <= atMs) === true;
    const episodes = known.episodes.filter((each) => touches(each) || isOfPart(each));
    const writer = new RecordingWriter();
    yield writer.head({ nodeName: name.slice(0, 200), fromMs, toMs, chainChecks });
    for (const episode of episodes) yield writer.line({ episode });
    const ids = new Set(episodes.map((episode) => episode.id));
    for (const mark of known.marks) if (ids.has(mark.episodeId)) yield writer.line({ mark });
    let firstMs = fromMs;
    let earlier = before;
    for (let reports = 0; reports < reportsBefore && earlier !== null; reports += 1) {
      if (earlier.polledAtMs < fromMs - dayMs) break;
      firstMs = earlier.polledAtMs;
      earlier = await store.readPollAt(id, firstMs - 1);
    }
    if (before !== null && before.polledAtMs < firstMs) yield writer.line({ poll: withAllRuns(before) });
    let polls = 0;
    for await (const poll of scanPolls(source, firstMs - 1, toMs)) {
      if (poll.polledAtMs < fromMs) {
        yield writer.line({ poll: poll.polledAtMs === firstMs ? withAllRuns(poll) : poll });
        continue;
      }
      polls += 1;
      this.tasks.step(polls, (poll.polledAtMs - fromMs) / (toMs - fromMs + 1));
      if (poll.reportJson !== null) counter.reports += 1;
      yield writer.line({ poll });
    }
    yield writer.end();
  }
}

/** As many as tell how long a state holds. */
const reportsBefore = 4;

/** Also with the runs of its report that an earlier poll has seen. */
function withAllRuns(poll: StoredPoll): StoredPoll {
  const { polledAtMs, reportJson } = poll;
  const seen = new Set(poll.runs.map(({ check }) => check));
  const others = parseStoredReport(reportJson)?.checks.filter(({ name }) => !seen.has(name)) ?? [];
  return { ...poll, runs: [...poll.runs, ...others.map((check) => runOf(check, timeOf(check, polledAtMs)))] };
}

/** Smaller than any recording. */
const smallestRoomBytes = 1_048_576;
