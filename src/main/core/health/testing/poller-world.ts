import {
  createPoller,
  type PollAnswer,
  type Poller,
  type PollerEvents,
  type Rhythm,
} from '../poll/poller.ts';
import type { PollTarget } from '../poll/schedule.ts';
import {
  createFakeHttp,
  createFakeLog,
  createFakeRandom,
  createFakeTime,
  jsonAnswer,
  type FakeHttp,
  type FakeLog,
  type FakeServer,
  type FakeTime,
} from './fake-ports.ts';

export const healthy: FakeServer = () => jsonAnswer(200, { checks: {}, healthy: true });
export const refused: FakeServer = () => ({ kind: 'failure', reason: 'refused', detail: '' });
export const hung: FakeServer = () => 'hang';

/** A poller under a fake clock. */
export interface PollerWorld {
  time: FakeTime;
  http: FakeHttp;
  log: FakeLog;
  poller: Poller;
  answers: (PollAnswer & { atMs: number })[];
  rhythms: Rhythm[];
  changes: string[];
  /** URLs of the connections that are kept. */
  lines: readonly string[];
  /** All requests, by the monotonic clock. */
  sent: readonly { url: string; atMs: number }[];
  /** Times, by the monotonic clock, at which polls of `name` and requests for its liveness were sent. */
  sentAt(name: string): number[];
  livenessAt(name: string): number[];
}

export function createPollerWorld({
  latencyMs = 200,
  fraction = 0,
  onAnswer = () => Promise.resolve(),
  ...others
}: Partial<Omit<PollerEvents, 'onAnswer' | 'onChanged'>> & {
  latencyMs?: number;
  fraction?: number;
  onAnswer?: (answer: PollAnswer) => Promise<void>;
} = {}): PollerWorld {
  const time = createFakeTime();
  const http = createFakeHttp(time, latencyMs);
  const log = createFakeLog();
  const answers: PollerWorld['answers'] = [];
  const rhythms: Rhythm[] = [];
  const changes: string[] = [];
  const sent: { url: string; atMs: number }[] = [];
  const lines: string[] = [];
  const { client } = http;
  http.client = {
    send: (request) => {
      sent.push({ url: request.url, atMs: time.clock.monotonicMs() });
      return client.send(request);
    },
  };
  const ports = {
    openLine: ((url, onLost) => {
      const line = http.openLine(url, onLost);
      lines.push(url);
      const close = (): void => {
        lines.splice(lines.indexOf(url), 1);
        line.close();
      };
      return { ...line, close };
    }) satisfies FakeHttp['openLine'],
    clock: time.clock,
    timers: time.timers,
    random: createFakeRandom(fraction),
    log,
    isOnline: () => true,
  };
  const poller: Poller = createPoller(ports, {
    accessTo: () => Promise.resolve({ headers: {} }),
    onReport: () => Promise.resolve(),
    onLiveness: () => undefined,
    onSlept: () => undefined,
    ...others,
    onAnswer: (answer, rhythm) => {
      rhythms.push(rhythm);
      answers.push({ ...answer, atMs: time.clock.monotonicMs() });
      return onAnswer(answer);
    },
    onChanged: (id) => changes.push(`${id} ${poller.statusOf(id).polling ? 'polls' : 'rests'}`),
  });
  const momentsOf = (path: string): number[] =>
    sent.filter(({ url }) => url === path).map(({ atMs }) => atMs);
  return {
    time,
    http,
    log,
    poller,
    answers,
    rhythms,
    changes,
    lines,
    sent,
    sentAt: (name) => momentsOf(`http://${name}/ext/health`),
    livenessAt: (name) => momentsOf(`http://${name}/ext/health/liveness`),
  };
}

export const target = (id: string, intervalMs: number | null = 30_000): PollTarget => ({
  id,
  url: `http://${id}`,
  intervalMs,
  paused: false,
  revision: 0,
});
