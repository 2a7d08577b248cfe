import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { UnknownName } from '../errors.ts';

/** What a check does in a phase. Without `error` and `failing` it passes. */
const checkScriptSchema = z.strictObject({
  error: z.string().optional(),
  /** Fails in the words of the check itself. */
  failing: z.boolean().optional(),
  /** Any JSON; `{"$ramp": [from, to]}` moves from one number to the other in the course of the phase. */
  message: z.json().optional(),
  durationSeconds: z.number().min(0).optional(),
});

const phaseSchema = z.strictObject({
  /** Without it the phase lasts for ever. */
  forSeconds: z.number().positive().optional(),
  /** By check name, or `chains` for all chains, `L1` for the one that is not of the Primary Network. */
  checks: z.record(z.string(), checkScriptSchema).default({}),
  /** The process is not running: connections are reset; afterwards the node has forgotten everything. */
  down: z.boolean().default(false),
  rejectHosts: z.boolean().default(false),
  healthInterface: z.boolean().default(true),
});

const scenarioSchema = z.strictObject({
  title: z.string(),
  /** `old`: the shapes that nodes before 1.7.4 answered with (service-and-node.md §5). */
  shape: z.enum(['current', 'old']).default('current'),
  /** After the last phase comes the first again. */
  repeat: z.boolean().default(false),
  phases: z.array(phaseSchema).min(1),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type Phase = Scenario['phases'][number];
export type CheckScript = z.infer<typeof checkScriptSchema>;

const folder = new URL('../scenarios/', import.meta.url);

/** The names of all scenarios in `scenarios/`. */
export function scenarioNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

/**
 * Reads a scenario by its name, or from a file if the name ends in `.json`. A text `"$L1"` in it is the id of the node's
 * other subnet. Throws what is wrong with it.
 */
export function readScenario(name: string, subnetId: string): Scenario {
  const known = scenarioNames();
  if (!name.endsWith('.json') && !known.includes(name)) {
    throw new UnknownName(`no scenario ${name}; there are ${known.join(', ')}`);
  }
  const file = name.endsWith('.json') ? name : fileURLToPath(new URL(`${name}.json`, folder));
  const text = readFileSync(file, 'utf8').replaceAll('"$L1"', JSON.stringify(subnetId));
  return scenarioSchema.parse(JSON.parse(text));
}

/** A phase at a moment. */
export interface Moment {
  readonly phase: Phase;
  /** How much of the phase has passed, from 0 to 1; 0 in one without end. */
  readonly progress: number;
  /** When it ends, in milliseconds since 1970. */
  readonly endsAtMs: number;
}

export type Script = ReturnType<typeof createScript>;

/** Lays a scenario out in time. */
export function createScript(scenario: Scenario, startMs: number) {
  const lengths = scenario.phases.map(({ forSeconds }) => (forSeconds ?? Infinity) * 1000);
  const totalMs = lengths.reduce((sum, length) => sum + length, 0);
  const last = scenario.phases.length - 1;

  function at(ms: number): Moment {
    let begin = startMs;
    if (scenario.repeat && Number.isFinite(totalMs))
      begin += Math.max(0, Math.floor((ms - startMs) / totalMs)) * totalMs;
    let index = 0;
    while (index < last && ms >= begin + (lengths[index] ?? Infinity)) {
      begin += lengths[index] ?? Infinity;
      index += 1;
    }
    const phase = scenario.phases[index];
    if (phase === undefined) throw new RangeError('a scenario without phases');
    const length = lengths[index] ?? Infinity;
    // The last phase goes on for ever unless all are repeated.
    const endsAtMs = index === last && !scenario.repeat ? Infinity : begin + length;
    return { phase, progress: Math.min(1, Math.max(0, (ms - begin) / length)), endsAtMs };
  }

  return {
    shape: scenario.shape,
    at,
    /** When the first time without a running process that begins in a stretch of time ends; null without one. */
    restartAfter(fromMs: number, toMs: number): number | null {
      let moment = at(fromMs);
      for (;;) {
        if (moment.phase.down) return moment.endsAtMs;
        if (moment.endsAtMs > toMs) return null;
        moment = at(moment.endsAtMs);
      }
    },
    /** From when on nothing changes any more. */
    steadyFromMs: scenario.repeat
      ? Infinity
      : startMs + lengths.slice(0, last).reduce((sum, length) => sum + length, 0),
  };
}

/** A script's message at a point of its phase, with its ramps worked out. */
export function rampedMessage(message: unknown, progress: number): unknown {
  if (Array.isArray(message)) return message.map((inner) => rampedMessage(inner, progress));
  if (typeof message !== 'object' || message === null) return message;
  const ramp: unknown = Reflect.get(message, '$ramp');
  if (Array.isArray(ramp)) {
    const [from, to] = ramp.map(Number);
    if (from === undefined || to === undefined) throw new TypeError('a $ramp needs two numbers');
    const value = from + (to - from) * progress;
    return Number.isInteger(from) && Number.isInteger(to) ? Math.round(value) : value;
  }
  return Object.fromEntries(
    Object.entries(message).map(([name, inner]) => [name, rampedMessage(inner, progress)]),
  );
}
