import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { messageOf } from '../../src/shared/errors.ts';
import { UnknownName } from '../errors.ts';
import bootstrapping from '../scenarios/bootstrapping.json' with { type: 'json' };
import diskFilling from '../scenarios/disk-filling.json' with { type: 'json' };
import flapping from '../scenarios/flapping.json' with { type: 'json' };
import healthy from '../scenarios/healthy.json' with { type: 'json' };
import hungCheck from '../scenarios/hung-check.json' with { type: 'json' };
import networkLoss from '../scenarios/network-loss.json' with { type: 'json' };
import oldVersion from '../scenarios/old-version.json' with { type: 'json' };
import oneChainFailing from '../scenarios/one-chain-failing.json' with { type: 'json' };
import restarting from '../scenarios/restarting.json' with { type: 'json' };

/** What a check does in a phase. Without `error` and `failing` it passes. */
const checkScriptSchema = z.strictObject({
  error: z.string().optional(),
  /** Fails with the check's own error. */
  failing: z.boolean().optional(),
  /** Any JSON; `{"$ramp": [from, to]}` moves from one number to the other during the phase. */
  message: z.json().optional(),
  durationSeconds: z.number().min(0).optional(),
});

const phaseSchema = z.strictObject({
  /** Without it the phase lasts for ever. */
  forSeconds: z.number().positive().optional(),
  /** By check name, or `chains` for all chains, `L1` for the one outside the Primary Network. */
  checks: z.record(z.string(), checkScriptSchema).default({}),
  /** The process is not running: connections are reset; afterwards the node has forgotten everything. */
  down: z.boolean().default(false),
});

const scenarioSchema = z.strictObject({
  title: z.string(),
  /** `old`: the shapes that nodes before 1.7.4 answered with (service-and-node.md §5). */
  shape: z.enum(['current', 'old']).default('current'),
  /** The phases are repeated. */
  repeat: z.boolean().default(false),
  phases: z.array(phaseSchema).min(1),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type Phase = Scenario['phases'][number];

/** The files in `scenarios/`, imported so that they are part of a built program. */
const scenarios: ReadonlyMap<string, unknown> = new Map([
  ['bootstrapping', bootstrapping],
  ['disk-filling', diskFilling],
  ['flapping', flapping],
  ['healthy', healthy],
  ['hung-check', hungCheck],
  ['network-loss', networkLoss],
  ['old-version', oldVersion],
  ['one-chain-failing', oneChainFailing],
  ['restarting', restarting],
]);

/** The names of all scenarios in `scenarios/`. */
export function scenarioNames(): string[] {
  return [...scenarios.keys()];
}

/**
 * Reads a scenario by its name, or from a file if the name ends in `.json`. A text `"$L1"` in it is the id of the node's
 * other subnet. Throws what is wrong with it.
 */
export function readScenario(name: string, subnetId: string): Scenario {
  if (!name.endsWith('.json') && !scenarios.has(name)) {
    throw new UnknownName(`no scenario ${name}; there are ${scenarioNames().join(', ')}`);
  }
  try {
    const told = name.endsWith('.json') ? readFileSync(name, 'utf8') : JSON.stringify(scenarios.get(name));
    return scenarioSchema.parse(JSON.parse(told.replaceAll('"$L1"', JSON.stringify(subnetId))));
  } catch (error) {
    const words = error instanceof z.core.$ZodError ? z.prettifyError(error) : messageOf(error);
    throw new UnknownName(`${name} is no scenario: ${words}`);
  }
}

/** The phase at a point in time. */
export interface Moment {
  readonly phase: Phase;
  /** How much of the phase has passed, from 0 to 1; 0 in one without end. */
  readonly progress: number;
  /** When it begins and ends, in milliseconds since 1970. */
  readonly beginsAtMs: number;
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
    // Without repetition the last phase never ends.
    const endsAtMs = index === last && !scenario.repeat ? Infinity : begin + length;
    return { phase, progress: Math.min(1, Math.max(0, (ms - begin) / length)), beginsAtMs: begin, endsAtMs };
  }

  return {
    shape: scenario.shape,
    at,
    /** The end of the first downtime that begins within a span; null without one. */
    restartAfter(fromMs: number, toMs: number): number | null {
      let moment = at(fromMs);
      for (;;) {
        if (moment.phase.down) return moment.endsAtMs;
        if (moment.endsAtMs > toMs) return null;
        moment = at(moment.endsAtMs);
      }
    },
  };
}

/** A script's message at a point of its phase, with ramps replaced by numbers. */
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
