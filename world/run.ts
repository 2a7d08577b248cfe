import { createHash } from 'node:crypto';
import type { Incident } from '../src/shared/health/types.ts';
import type { History } from './history.ts';
import type { PromiseName, Violation } from './promises.ts';
import { allIncidents } from './user.ts';
import { watchAlerts } from './watch-alerts.ts';
import { watchApp } from './watch-app.ts';
import { watchLedger } from './watch-ledger.ts';
import { watchNodes } from './watch-nodes.ts';
import { watchSoon } from './watch-soon.ts';
import { World } from './world.ts';
import { askProcessor, minute, second } from './time.ts';

/** How a run ended. */
export interface Outcome {
  /** The first promise that was broken; null when all were kept. */
  violation: Violation | null;
  /** Digest of everything that was seen, in order: equal for equal histories. */
  trace: string;
  steps: number;
  /** Processor time of the longest step, without stores and window, which are elsewhere in the app. */
  slowestStepMs: number;
  /** True time that passed in the world. */
  simulatedMs: number;
}

/**
 * After trouble ends, everything must be complete within this time: the longest pause before a retry, and one check for
 * news after that.
 */
const completeWithinMs = 22 * minute;
/** And what is shown of nodes must be right, with or without a service. */
const rightWithinMs = 8 * minute;

export interface RunOptions {
  /** Gets each thing that is seen. */
  tell?: (line: string) => void;
  /** Promises that may be broken, to find what else is. */
  unwatched?: readonly PromiseName[];
}

/** The longest that a step may keep the processor, which is when the window would stutter. */
const longestStepMs = 50;

/** Lives through a history and watches all promises. */
export async function run(history: History, options: RunOptions = {}): Promise<Outcome> {
  const outcome = await runOnce(history, options);
  if (options.unwatched?.includes('no-block') === true) return outcome;
  // A step that is slow in one run only had code compiled or memory collected in it.
  for (
    let again = 0;
    again < 3 && outcome.violation === null && outcome.slowestStepMs > longestStepMs;
    again += 1
  ) {
    const { slowestStepMs } = await runOnce(history, { unwatched: options.unwatched ?? [] });
    outcome.slowestStepMs = Math.min(outcome.slowestStepMs, slowestStepMs);
  }
  if (outcome.violation === null && outcome.slowestStepMs > longestStepMs) {
    const words = `a step took ${Math.round(outcome.slowestStepMs)} ms`;
    outcome.violation = { promise: 'no-block', words, atMs: outcome.simulatedMs };
  }
  return outcome;
}

async function runOnce(history: History, { tell, unwatched }: RunOptions): Promise<Outcome> {
  const digest = createHash('sha256');
  const see = (line: string): void => {
    digest.update(`${line}\n`);
    tell?.(line);
  };
  const world = new World(history, see, unwatched);
  const watches = {
    nodes: watchNodes(world),
    soon: watchSoon(world),
    ledger: watchLedger(world),
    app: watchApp(world),
    alerts: watchAlerts(world),
  };
  let steps = 0;
  let slowestStepMs = 0;
  let processor = askProcessor();
  const onRejection = (cause: unknown): void =>
    world.broken(
      'no-throw',
      `unhandled: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
    );
  process.on('unhandledRejection', onRejection);

  async function step(untilMs: number): Promise<boolean> {
    world.machine.elsewhereMs = 0;
    const beganMs = performance.now();
    const hasMore = await world.step(untilMs);
    if (performance.now() - beganMs - world.machine.elsewhereMs > longestStepMs) {
      // At least so much of it was the processor's: others may have had it meanwhile.
      const betweenMs = beganMs - processor.atMs + world.machine.elsewhereMs;
      slowestStepMs = Math.max(slowestStepMs, askProcessor().usedMs - processor.usedMs - betweenMs);
    }
    steps += 1;
    if (steps % 8 === 0) processor = askProcessor();
    watches.nodes.checkBudgets();
    watches.soon.look();
    watches.app.checkWish();
    watches.ledger.noteWish();
    if (world.firstBroken !== null) throw world.firstBroken;
    return hasMore;
  }

  /** Lets so much time pass in which the computer is awake. */
  async function pass(ms: number): Promise<void> {
    const { time } = world;
    const untilMs = time.awakeMs + ms;
    while (time.awakeMs < untilMs) await step(time.nowMs + untilMs - time.awakeMs);
  }

  /** Lets time pass until the promise is settled; null when the app ends before that. */
  async function during<T>(work: Promise<T>): Promise<T | null> {
    const { starts } = world.machine;
    const state = { isOver: false };
    const over = (): void => {
      state.isOver = true;
    };
    work.then(over, over);
    const untilMs = world.time.awakeMs + 5 * minute;
    while (!state.isOver && world.time.awakeMs < untilMs) {
      if (world.machine.app === null || world.machine.starts !== starts) return null;
      await step(world.time.nowMs + second);
    }
    if (!state.isOver) watches.app.checkCalls(0);
    if (world.firstBroken !== null) throw world.firstBroken;
    return await work;
  }

  /** What the watches take is not the app's. */
  function apart(look: () => void): void {
    const beganMs = performance.now();
    look();
    world.machine.elsewhereMs += performance.now() - beganMs;
  }

  /** Looks at everything now and then. */
  function watch(everyMs: number): void {
    world.time.outside(everyMs, () => {
      watch(everyMs);
      apart(() => lookAround(everyMs));
    });
  }

  function lookAround(forMs: number): void {
    watches.nodes.checkStates(forMs);
    watches.alerts.look();
    watches.app.checkCalls(15 * minute);
    watches.app.checkRetries();
    if (history.services.length > 0) {
      watches.app.checkService();
      watches.ledger.checkPaused();
      watches.ledger.checkNews();
    }
    watches.app.checkWindow(['watchlist']);
  }

  function checkLedger(everyMs: number): void {
    world.time.outside(everyMs, () => {
      checkLedger(everyMs);
      apart(() => watches.ledger.check());
    });
  }

  async function incidents(): Promise<Incident[] | null> {
    const { app } = world.machine;
    if (app === null) return null;
    const listed = await during(
      app.invoke('incidents.list', { filter: allIncidents, offset: 0, limit: 500 }),
    );
    return listed?.ok === true ? listed.value.incidents : null;
  }

  async function checkPast(isEnd = false): Promise<void> {
    const { app } = world.machine;
    if (app === null) return;
    const listed = await incidents();
    if (listed === null || world.machine.app !== app) return;
    watches.nodes.checkIncidents(listed);
    tell?.(`${world.time.nowMs} incidents ${JSON.stringify(listed.map(({ parts }) => parts))}`);
    await during(world.answers.check(app));
    const told = await during(app.invoke('alerts.list', undefined));
    if (told?.ok === true) {
      watches.alerts.check(told.value.alerts);
      if (isEnd) watches.alerts.checkNews(told.value.alerts);
      if (isEnd) watches.alerts.checkEnd(told.value.alerts, told.value.messages);
    }
    const use = await during(app.invoke('nodes.historyUse', undefined));
    if (use?.ok === true) watches.nodes.checkKept(use.value);
    for (const status of app.services().nodes.list()) {
      const [toMs, spanMs] = [world.time.wallMs(), Math.floor(world.time.nowMs)];
      const span = { id: status.node.id, fromMs: toMs - spanMs, toMs };
      const uptime = await during(app.invoke('nodes.uptime', span));
      if (uptime?.ok === true) watches.nodes.checkUptime(status, uptime.value, spanMs);
    }
    if (world.firstBroken !== null) throw world.firstBroken;
  }

  async function live(): Promise<void> {
    world.start();
    watch(10 * second);
    if (history.services.length > 0) checkLedger(minute);
    // The past is looked at now and then, as a user would.
    const looks = 4;
    for (let look = 0; look < looks; look += 1) {
      await pass(history.durationMs / looks);
      await checkPast();
    }
    world.makeQuiet();
    await pass(history.services.length > 0 ? completeWithinMs : rightWithinMs);
    watches.ledger.checkComplete();
    watches.ledger.checkWalks();
    watches.app.checkLists();
    watches.app.checkTimers();
    await checkPast(true);
    const before = watches.ledger.requestCounts();
    const restMs = history.services.length > 0 ? 6 * minute : minute;
    await pass(restMs);
    watches.ledger.checkQuiet(before, restMs);
    watches.ledger.check();
    watches.app.checkWindow();
    // What changes just now reaches the window a moment later.
    await pass(second);
    watches.app.checkCalls(5 * minute);
    if (world.firstBroken !== null) throw world.firstBroken;
    await checkRestart();
  }

  async function checkRestart(): Promise<void> {
    const { machine } = world;
    const known = (all: readonly Incident[] | null, wereOpen: ReadonlySet<string>) =>
      JSON.stringify(
        (all ?? [])
          .filter(({ id, endedAtMs }) => endedAtMs !== null && !wereOpen.has(id))
          .map(({ id, startedAtMs, endedAtMs }) => [id, startedAtMs, endedAtMs]),
      );
    const rowsOf = () =>
      JSON.stringify(
        machine.app
          ?.window()
          ?.watchlist.map(({ address, chains }) => [
            address,
            chains.map(({ chainId, sync, otherLists }) => [
              chainId,
              sync.rowCount,
              sync.covered,
              otherLists.map((other) => [other.list, other.sync.rowCount, other.sync.covered]),
            ]),
          ]),
      );
    const isRunning = (): boolean =>
      machine.app
        ?.window()
        ?.watchlist.some(({ chains }) => chains.some(({ sync }) => sync.state === 'running')) === true;
    // What looks for news just now is not settled.
    for (let tries = 0; tries < 10 && isRunning(); tries += 1) await pass(second);
    const before = await incidents();
    // The poll of the start may see their end.
    const wereOpen = new Set(before?.filter(({ endedAtMs }) => endedAtMs === null).map(({ id }) => id));
    const past = known(before, wereOpen);
    const rows = rowsOf();
    const { app } = machine;
    await during(machine.quit());
    if (machine.app === app) world.broken('calls-end', 'the app does not end');
    if ((app?.timerCount() ?? 0) > 0)
      world.broken('no-growth', `${app?.timerCount()} timers are left when the app has ended`);
    world.start();
    await pass(0.5 * second);
    const pastNow = known(await incidents(), wereOpen);
    if (pastNow !== past)
      world.broken('survives-restart', `incidents were ${past} and are ${pastNow} after a restart`);
    if (rowsOf() !== rows)
      world.broken('survives-restart', `histories were ${rows} and are ${rowsOf()} after a restart`);
    if (world.firstBroken !== null) throw world.firstBroken;
  }

  let violation: Violation | null = null;
  try {
    await live();
  } catch (cause) {
    if (world.firstBroken === null) throw cause;
    violation = world.firstBroken.violation;
  } finally {
    process.off('unhandledRejection', onRejection);
    if (world.machine.app !== null) world.machine.crash();
  }
  return { violation, trace: digest.digest('hex'), steps, slowestStepMs, simulatedMs: world.time.nowMs };
}
