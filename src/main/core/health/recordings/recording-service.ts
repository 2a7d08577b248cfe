/**
 * Recordings: a span of a node's history as a file, and such files opened again as if they were nodes.
 * Uses the rooms `history` and `incidents`.
 */
import { AppFailure, refuse } from '../../../../shared/errors.ts';
import { recordingLimits, RecordingWriter } from '../../../../shared/health/recording-lines.ts';
import type { RecordingInfo } from '../../../../shared/health/types.ts';
import type { ArgsOf } from '../../../../shared/ipc/contract.ts';
import type { OpenedRecording, OpenRecording } from '../../health-ports.ts';
import type { Clock, FileOpener, FileSaver, Random } from '../../ports.ts';
import { fileNameOf } from '../../file-name.ts';
import { allEpisodesIn, scanPolls } from '../incidents/incident-reader.ts';
import { chainChecksOfSource, notWatched, type HistorySource } from '../history/history-source.ts';
import { RecordingTasks } from './recording-task.ts';

export interface RecordingDeps {
  /** The source of a node or of a recording; null for an id that is neither. */
  findSource: (id: string) => HistorySource | null;
  openRecording: OpenRecording;
  saver: FileSaver;
  opener: FileOpener;
  clock: Pick<Clock, 'monotonicMs'>;
  random: Random;
}

type Span = ArgsOf<'recordings.save'>;

interface Opened {
  info: RecordingInfo;
  recording: OpenedRecording;
  source: HistorySource;
}

/** Writes what is stored of a span to a file, and opens such files: what they hold is stored again as it was. */
export class RecordingService {
  readonly tasks: RecordingTasks;
  readonly #deps: RecordingDeps;
  readonly #opened = new Map<string, Opened>();

  constructor(deps: RecordingDeps) {
    this.tasks = new RecordingTasks(deps.clock);
    this.#deps = deps;
  }

  /** Recordings that are open, in the order in which they were opened. */
  list(): RecordingInfo[] {
    return [...this.#opened.values()].map(({ info }) => info);
  }

  sources(): HistorySource[] {
    return [...this.#opened.values()].map(({ source }) => source);
  }

  close(id: string): null {
    const opened = this.#opened.get(id);
    if (opened === undefined) {
      throw new AppFailure({ code: 'not-found', message: 'This recording is not open (any more).' });
    }
    this.#opened.delete(id);
    opened.recording.close();
    return null;
  }

  /** Null when the user chose no place. */
  async save(args: Span): Promise<{ path: string; reportCount: number } | null> {
    const source = this.#deps.findSource(args.id) ?? notWatched();
    const [fromMs, toMs] = [Math.floor(args.fromMs), Math.ceil(args.toMs)];
    if (!(toMs >= fromMs)) refuse('A span needs an end after its start.', 'toMs');
    return await this.tasks.during('save', async () => {
      const { saver } = this.#deps;
      const path = await saver.choose(fileNameOf(source.name, fromMs, 'jsonl.gz'), 'jsonl.gz');
      if (path === null) return null;
      const counter = { reports: 0 };
      await saver.write(path, this.#lines(source, fromMs, toMs, counter), 'gzip');
      return { path, reportCount: counter.reports };
    });
  }

  /** Null when the user chose no file. Every file that is not a whole recording is refused in words. */
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
      this.#opened.set(id, { info, recording, source: { id, name: nodeName, store, chainChecks } });
      return info;
    });
  }

  /** Text that may still be read: all that are open have one limit together. */
  #roomBytes(): number {
    const open = [...this.#opened.values()].map(({ recording }) => recording.textBytes);
    const roomBytes = open.reduce((room, bytes) => room - bytes, recordingLimits.textBytes);
    if (roomBytes >= smallestRoomBytes) return roomBytes;
    refuse('As many recordings are open as there is room for. Close one first.', 'path');
  }

  /** What is stored of the span: its polls, the last report before it, and the episodes that touch it as they are now. */
  async *#lines(
    source: HistorySource,
    fromMs: number,
    toMs: number,
    counter: { reports: number },
  ): AsyncGenerator<string> {
    const { id, name, store } = source;
    const chainChecks = [...(await chainChecksOfSource(source))].slice(0, recordingLimits.checksInReport);
    const before = await store.readPollAt(id, fromMs - 1);
    const episodes = await allEpisodesIn(source, fromMs, toMs + 1);
    const marks = await store.readIncidentMarks(id);
    const writer = new RecordingWriter();
    yield writer.head({ nodeName: name.slice(0, 200), fromMs, toMs, chainChecks });
    for (const episode of episodes) yield writer.line({ episode });
    const ids = new Set(episodes.map((episode) => episode.id));
    for (const mark of marks) if (ids.has(mark.episodeId)) yield writer.line({ mark });
    if (before !== null) yield writer.line({ poll: before });
    let polls = 0;
    for await (const poll of scanPolls(source, fromMs - 1, toMs)) {
      polls += 1;
      this.tasks.step(polls, (poll.polledAtMs - fromMs) / (toMs - fromMs + 1));
      if (poll.reportJson !== null) counter.reports += 1;
      yield writer.line({ poll });
    }
    yield writer.end();
  }
}

/** Less room than a short recording needs. */
const smallestRoomBytes = 1_048_576;
