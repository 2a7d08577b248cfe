import type {
  ArgsOf,
  Bridge,
  EventChannel,
  EventContract,
  InvokeChannel,
  Reply,
  ResultOf,
} from '../../../shared/ipc/contract.ts';
import { err, ok } from '../../../shared/errors.ts';
import { calls } from '../../../shared/ipc/calls.ts';
import type { EveryAnswer, FakeAnswers } from './fake-answers.ts';
import { activityAnswers } from './sample-histories.ts';
import { healthAnswers } from './sample-past.ts';
import { SampleRuns } from './sample-runs.ts';
import type { World } from './sample-world.ts';

/** A small fake main process for tests: it answers from a sample world, refuses what the app would refuse, and records every call. */
export class FakeBridge implements Bridge {
  readonly calls: { channel: InvokeChannel; args: unknown }[] = [];
  readonly world: World;
  readonly runs: SampleRuns;
  readonly #answers: FakeAnswers;
  readonly #listeners = new Set<(events: string) => void>();

  constructor(world: World) {
    this.world = world;
    this.runs = new SampleRuns(world.nowMs, (run) => this.emit('run.changed', run));
    this.#answers = answersOf(world, this);
  }

  /** Replaces the answer of one channel. */
  answer<C extends InvokeChannel>(channel: C, answer: EveryAnswer[C]): void {
    Object.assign(this.#answers, { [channel]: answer });
  }

  emit<C extends EventChannel>(channel: C, payload: EventContract[C]): void {
    for (const listener of this.#listeners) listener(JSON.stringify([[channel, payload]]));
  }

  argsOf<C extends InvokeChannel>(channel: C): ArgsOf<C>[] {
    // Recorded by `invoke` under this very channel.
    return this.calls.filter((call) => call.channel === channel).map((call) => call.args as ArgsOf<C>);
  }

  async invoke<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Reply<ResultOf<C>> {
    this.calls.push({ channel, args });
    const parsed = calls[channel].schema.safeParse(args);
    if (!parsed.success) throw new Error(`${channel} is refused: ${JSON.stringify(parsed.error.issues)}`);
    // Given for this very channel; without one the call may answer with null.
    const answer = this.#answers[channel] as EveryAnswer[C] | undefined;
    return await (answer?.(args) ?? ok(null as ResultOf<C>));
  }

  listen(listener: (events: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function answersOf(world: World, bridge: FakeBridge): FakeAnswers {
  const { snapshot } = world;
  const missing = err({ code: 'not-found', message: 'no such thing in the sample world' } as const);
  return {
    'app.snapshot': () => ok(snapshot),
    'app.isSample': () => ok(false),
    'app.drawingFailed': () => ok({ ref: 'a-reference' }),
    'settings.update': (change) => {
      snapshot.settings = { ...snapshot.settings, ...change };
      bridge.emit('settings.changed', snapshot.settings);
      return ok(snapshot.settings);
    },
    'secret.set': ({ storage }) => {
      snapshot.secret = { ...snapshot.secret, present: true, storage };
      bridge.emit('secret.changed', snapshot.secret);
      return ok(snapshot.secret);
    },
    'proxy.logIn': ({ proxy }) => {
      snapshot.outbound = { ...snapshot.outbound, logins: { [proxy]: 'kept' } };
      bridge.emit('outbound.changed', snapshot.outbound);
      return ok(null);
    },
    'proxy.forgetLogin': ({ proxy }) => {
      snapshot.outbound = { ...snapshot.outbound, logins: { [proxy]: 'none' } };
      bridge.emit('outbound.changed', snapshot.outbound);
      return ok(null);
    },
    'secret.remove': () => {
      snapshot.secret = { ...snapshot.secret, present: false, storage: 'none' };
      bridge.emit('secret.changed', snapshot.secret);
      return ok(snapshot.secret);
    },
    'secret.test': () => ok({ answeredInMs: 184 }),
    'endpoint.query': ({ params, refresh, includeRaw }) => {
      const hash = params['txHash'] ?? '';
      const row = world.rows.find((candidate) => candidate.txHash === hash);
      if (row === undefined || refresh === 'cached') return missing;
      return ok({
        data: row.transaction,
        fetchedAtMs: world.nowMs - 2_000,
        source: 'network' as const,
        stale: false,
        notes: [],
        ...(includeRaw ? { rawText: JSON.stringify(row.transaction) } : {}),
      });
    },
    'runs.start': ({ target, pages }) => ok(bridge.runs.start(target, pages)),
    'runs.continue': ({ runId, pages }) => bridge.runs.goOn(runId, pages),
    'runs.list': ({ filter, offset, limit }) => ok(bridge.runs.list(filter, offset, limit)),
    'runs.page': ({ runId, index }) => bridge.runs.page(runId, index),
    'runs.text': ({ runId, index }) => bridge.runs.text(runId, index),
    'runs.attempts': ({ runId }) => ok(bridge.runs.attempts(runId)),
    'runs.remove': ({ runId }) => {
      bridge.runs.remove(runId);
      return ok({ undoId: `run ${runId}` });
    },
    'diagnostics.read': ({ withoutAddresses }) =>
      ok({ text: `diagnostics${withoutAddresses ? ' without addresses' : ''}` }),
    'diagnostics.save': () => ok({ path: '/home/me/diagnostics.txt' }),
    'runs.export': ({ format }) => ok({ path: `/home/me/rows.${format}`, rowCount: 30 }),
    ...activityAnswers(world, (channel, payload) => bridge.emit(channel, payload)),
    ...healthAnswers(world, (channel, payload) => bridge.emit(channel, payload)),
  };
}

/** Installs the bridge in place of the preload script's. */
export function installBridge(bridge: Bridge): void {
  Object.defineProperty(window, 'watchkeeper', { value: bridge, configurable: true, writable: true });
}
