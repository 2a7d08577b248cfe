// `npm run test:world -- 1000`: lives through the histories of 1,000 seeds, in as many processes as there are processors.
// A failure prints its seed, the shortest history that still fails, and how to see it step by step.
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { History } from './history.ts';
import { promises, type PromiseName } from './promises.ts';
import { run, type Outcome } from './run.ts';
import { historyOf } from './seeds.ts';
import { shorten } from './shorten.ts';

const { values, positionals } = readArguments();
const without = values.without.split(',').filter((name) => name !== '');
const unwatched = without.filter((name): name is PromiseName => Object.hasOwn(promises, name));
const [from, count] = [Number(values.from), Number(positionals[0] ?? 100)];
if (unwatched.length < without.length)
  refuse(`There are these promises: ${Object.keys(promises).join(', ')}.`);
if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count) || positionals.length > 1)
  refuse('COUNT and the first seed are whole numbers.');

if (values.worker) work();
else if (values.seed !== undefined || values.history !== undefined) await showOne();
else await tryMany();

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        /** The first seed of those that are tried. */
        from: { type: 'string', default: '0' },
        /** One seed, with everything that is seen. */
        seed: { type: 'string' },
        /** A kept history, with everything that is seen. */
        history: { type: 'string' },
        /** With one seed or history: shortens it and writes it to this file. */
        keep: { type: 'string' },
        /** Promises that may be broken, to find what else is. */
        without: { type: 'string', default: '' },
        /** At most so many failures are shortened. */
        shorten: { type: 'string', default: '3' },
        worker: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    return refuse(String(cause));
  }
}

/** Ends, and says what can be typed. */
function refuse(words: string): never {
  console.error(
    `${words}\nnpm run test:world -- COUNT [--from SEED], or --seed SEED, or --history FILE; besides --keep FILE, --without PROMISES`,
  );
  process.exit(2);
}

/** Lives through each seed that it is sent. */
function work(): void {
  process.on('message', (seed: string) => {
    void run(historyOf(seed), { unwatched }).then((outcome) => process.send?.({ seed, outcome }));
  });
}

async function showOne(): Promise<void> {
  if (values.history !== undefined && !existsSync(values.history))
    refuse(`There is no file ${values.history}.`);
  const history =
    values.history === undefined
      ? historyOf(values.seed ?? '')
      : // A history that this program has written.
        (JSON.parse(readFileSync(values.history, 'utf8')) as History);
  const { violation } = await run(
    history,
    values.keep === undefined ? { unwatched, tell: console.log } : { unwatched },
  );
  if (violation === null) {
    console.log('All promises are kept.');
    return;
  }
  print(history.seed, { violation });
  process.exitCode = 1;
  if (values.keep === undefined) return;
  const shortest = await shorten(history, violation.promise, unwatched);
  writeFileSync(values.keep, `${JSON.stringify(shortest, null, 2)}\n`);
  console.log(`Written to ${values.keep}, with ${shortest.happenings.length} happenings.`);
}

async function tryMany(): Promise<void> {
  const startedMs = performance.now();
  const broken = new Map<PromiseName, string[]>();
  let next = from;
  let done = 0;
  let simulatedMs = 0;
  const live = (child: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      const send = (): void => {
        if (next >= from + count) {
          child.disconnect();
          resolve();
        } else child.send(String(next++));
      };
      child.on('message', ({ seed, outcome }: { seed: string; outcome: Outcome }) => {
        done += 1;
        simulatedMs += outcome.simulatedMs;
        const { violation } = outcome;
        if (violation !== null) {
          print(seed, { violation });
          broken.set(violation.promise, [...(broken.get(violation.promise) ?? []), seed]);
        }
        send();
      });
      child.on('exit', (code) => {
        if (code !== 0) reject(new Error(`A world ended with code ${code}.`));
      });
      send();
    });
  const children = Array.from({ length: availableParallelism() }, () =>
    fork(import.meta.filename, [...process.argv.slice(2), '--worker']),
  );
  await Promise.all(children.map(live));
  const seconds = (performance.now() - startedMs) / 1_000;
  let shortened = 0;
  for (const [promise, seeds] of broken) {
    const [seed] = seeds;
    if (seed === undefined || shortened >= Number(values.shorten)) continue;
    shortened += 1;
    const shortest = await shorten(historyOf(seed), promise, unwatched);
    console.log(`\nThe shortest history from seed ${seed} that breaks ${promise}:`);
    const { happenings, ...rest } = shortest;
    console.log(`  ${JSON.stringify(rest)}`);
    for (const happening of happenings) console.log(`  ${JSON.stringify(happening)}`);
  }
  for (const [promise, seeds] of broken) {
    console.log(
      `\n${promise}, ${seeds.length} seeds: ${seeds.slice(0, 20).join(', ')}\n  ${promises[promise]}`,
    );
  }
  const hours = Math.round(simulatedMs / 3_600_000);
  console.log(
    `\n${done} seeds, ${hours} hours in the world, in ${seconds.toFixed(1)} s: ${(done / seconds).toFixed(1)} seeds a second.`,
  );
  const failed = [...broken.values()].flat().length;
  console.log(`${done - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function print(seed: string, { violation }: Pick<Outcome, 'violation'>): void {
  if (violation === null) return;
  const { promise, words, atMs } = violation;
  console.log(
    `Seed ${seed} breaks ${promise} after ${Math.round(atMs / 1_000)} s: ${words.split('\n').slice(0, 6).join('\n  ')}`,
  );
  console.log(`  step by step: npm run test:world -- --seed ${seed}`);
}
