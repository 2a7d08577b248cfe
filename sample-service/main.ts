import { basename } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import * as z from 'zod';
import { messageOf } from '../src/shared/errors.ts';
import { UnknownName } from './errors.ts';
import { scenarioNames } from './node/scenario.ts';
import type { NodeOptions } from './options.ts';
import { startSampleService } from './service.ts';

const usage = `Usage: npm run --silent sample-service -- [--port N] [--seed N] [--scale N] [--now SECONDS] [--names WHOSE]
  [--limits ON] [--nodes LIST]. sample-service/README.md says what they mean.
`;

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const optionsSchema = z.object({
  port: wholeNumber(0, 65_000),
  seed: wholeNumber(0, 0xffff_ffff),
  scale: z.coerce.number().min(0.01).max(10),
  now: wholeNumber(100_000_000, 0xffff_ffff).optional(),
  names: z.enum(['specification', 'upstream']),
  limits: z.enum(['on', 'off']),
  nodes: z.string(),
});

/** One node for each scenario; the healthy one has the default name. */
function nodesOf(text: string): NodeOptions[] {
  const all = () => ['healthy', ...scenarioNames().filter((name) => name !== 'healthy')];
  return (text === 'all' ? all() : text.split(',')).map((scenario) => ({
    name: scenario === 'healthy' ? 'harbor-1' : basename(scenario, '.json'),
    scenario,
  }));
}

/** Throws what is wrong on the command line. */
function readOptions() {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      port: text('0'),
      seed: text('1'),
      scale: text('1'),
      now: { type: 'string' },
      names: text('specification'),
      limits: text('on'),
      nodes: text('healthy'),
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return null;
  const { now, limits, nodes, ...rest } = optionsSchema.parse(values);
  const nowSeconds = now === undefined ? {} : { nowSeconds: now };
  return { ...rest, ...nowSeconds, limits: limits === 'on', nodes: nodesOf(nodes) };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(usage);
    return;
  }
  const service = await startSampleService(options);
  const stop = () => void service.close().catch(fail);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify(service.ready)}\n`);
}

function fail(error: unknown): void {
  const isInvalid = error instanceof z.ZodError;
  const isMistake = isInvalid || error instanceof UnknownName || hasCode(error, 'ERR_PARSE_ARGS');
  const text = isInvalid
    ? error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n')
    : isMistake || hasCode(error, 'EADDRINUSE')
      ? messageOf(error)
      : inspect(error);
  process.stderr.write(`sample service: ${text}\n${isMistake ? `\n${usage}` : ''}`);
  process.exitCode = isMistake ? 2 : 1;
}

function hasCode(error: unknown, prefix: string): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(prefix);
}

await main().catch(fail);
