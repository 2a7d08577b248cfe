import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { NodeOptions } from './options.ts';

/** The first Node that runs TypeScript without a flag. */
const neededNode = [22, 18] as const;

const usage = `Usage: npm run --silent sample-service -- [options]

  --port N        data on port N, metrics, control and nodes on the ports after it; 0 (default): free ports
  --seed N        decides all addresses, hashes, amounts and the API key; default 1
  --scale N       size of the world, 0.01 to 10; default 1
  --now SECONDS   the present of the chains, in seconds since 1970; default: this hour
  --names WHOSE   specification (default) or upstream
  --limits ON     on (default) or off
  --nodes LIST    scenarios, one node each: names in sample-service/scenarios or .json files, or all; default healthy

Prints one line of JSON when it is ready and ends on SIGTERM. See sample-service/README.md.
`;

/** A mistake on the command line. */
class UsageError extends Error {}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

function choice<const T extends string>(name: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UsageError(`--${name} must be ${values.join(' or ')}, not "${text}"`);
  return found;
}

/** One node for each scenario; the healthy one has the name that it has by default. */
function nodesOf(text: string, known: readonly string[]): NodeOptions[] {
  const wanted =
    text === 'all' ? ['healthy', ...known.filter((name) => name !== 'healthy')] : text.split(',');
  return wanted.map((scenario) => {
    if (!scenario.endsWith('.json') && !known.includes(scenario)) {
      throw new UsageError(`--nodes: no scenario "${scenario}"; there are ${known.join(', ')}`);
    }
    return { name: scenario === 'healthy' ? 'harbor-1' : basename(scenario, '.json'), scenario };
  });
}

function readOptions(scenarios: readonly string[]) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      scale: { type: 'string', default: '1' },
      now: { type: 'string' },
      names: { type: 'string', default: 'specification' },
      limits: { type: 'string', default: 'on' },
      nodes: { type: 'string', default: 'healthy' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const scale = Number(values.scale);
  if (!(scale >= 0.01 && scale <= 10))
    throw new UsageError(`--scale must be 0.01 to 10, not "${values.scale}"`);
  return {
    port: wholeNumber('port', values.port, 0, 65_000),
    seed: wholeNumber('seed', values.seed, 0, 0xffff_ffff),
    scale,
    names: choice('names', values.names, ['specification', 'upstream']),
    nodes: nodesOf(values.nodes, scenarios),
    limits: choice('limits', values.limits, ['on', 'off']) === 'on',
    ...(values.now === undefined
      ? {}
      : { nowSeconds: wholeNumber('now', values.now, 100_000_000, 0xffff_ffff) }),
  };
}

async function main(): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < neededNode[0] || (major === neededNode[0] && minor < neededNode[1])) {
    throw new UsageError(
      `the sample service needs Node ${neededNode.join('.')} or newer, this is ${process.version}; ` +
        'start it with: npm run --silent sample-service',
    );
  }
  // Imported only now, so that an old Node gets the message above and not a syntax error.
  const { startSampleService } = await import('./service.ts');
  const { scenarioNames } = await import('./node/scenario.ts');
  const options = readOptions(scenarioNames());
  if (options === null) {
    process.stdout.write(usage);
    return;
  }
  const service = await startSampleService(options);
  const stop = () => {
    service.close().catch((error: unknown) => {
      process.stderr.write(`sample service: ${String(error)}\n`);
      process.exitCode = 1;
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify(service.ready)}\n`);
}

main().catch((error: unknown) => {
  const isMistake = error instanceof UsageError || hasCode(error, 'ERR_PARSE_ARGS');
  const needsNoStack = isMistake || hasCode(error, 'EADDRINUSE');
  const text =
    error instanceof Error ? (needsNoStack ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`sample service: ${text}\n${isMistake ? `\n${usage}` : ''}`);
  process.exitCode = isMistake ? 2 : 1;
});

function hasCode(error: unknown, prefix: string): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(prefix);
}
