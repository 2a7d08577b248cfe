import type { CheckDefinition } from './checks.ts';
import { createNodeHealth } from './health.ts';
import { createScript, type Phase } from './scenario.ts';

/** The result of one past request to a node. */
export type PastAnswer = { readonly atMs: number } & (
  { readonly status: number; readonly body: string } | { readonly failure: 'refused' }
);

/** A phase of a scenario that has an end. */
export type PastPhase = Partial<Pick<Phase, 'checks' | 'down'>> & { readonly forSeconds: number };

/** Something that happened to a node. */
export interface PastStory {
  /** How long before the end of the past it began. Like its phases whole periods of checks: each begins with a round. */
  readonly agoSeconds: number;
  readonly phases: readonly PastPhase[];
  /** What the operator wrote about it afterwards. */
  readonly note?: string;
}

export interface NodePast {
  /** For how long it has been watched. */
  readonly forSeconds: number;
  /** Oldest first, without overlaps. */
  readonly stories: readonly PastStory[];
}

/** A node's past, to be written into a profile. */
export interface ToldPast {
  readonly name: string;
  /** As in the header of its answers. */
  readonly nodeId: string;
  readonly fromMs: number;
  /** The end, exclusive. */
  readonly untilMs: number;
  readonly answers: Iterable<PastAnswer>;
  /** The operator's notes, each with the time of its story. */
  readonly notes: readonly { readonly fromMs: number; readonly toMs: number; readonly note: string }[];
}

/** A node: its round 0 is at `roundsFromMs`, in Unix milliseconds. */
interface PastNode extends Pick<ToldPast, 'name' | 'nodeId'> {
  readonly checks: readonly CheckDefinition[];
  readonly periodMs: number;
  readonly roundsFromMs: number;
}

/** Makes a past up to a time. */
export function tellPast(node: PastNode, past: NodePast, untilMs: number): ToldPast {
  const { name, nodeId } = node;
  const fromMs = untilMs - past.forSeconds * 1_000;
  const notes = past.stories.flatMap(({ agoSeconds, phases, note }) => {
    const beganMs = untilMs - agoSeconds * 1_000;
    return note === undefined ? [] : [{ fromMs: beganMs, toMs: beganMs + secondsOf(phases) * 1_000, note }];
  });
  return { name, nodeId, fromMs, untilMs, notes, answers: answersOfPast(node, past, { fromMs, untilMs }) };
}

/** How often the node was polled, by age: within a little more than an hour, a day, a week, a month, and before. */
const rhythms: readonly { readonly withinMs: number; readonly everyMs: number }[] = [
  { withinMs: 75 * 60_000, everyMs: 60_000 },
  { withinMs: 26 * 3_600_000, everyMs: 900_000 },
  { withinMs: 8 * 86_400_000, everyMs: 2 * 3_600_000 },
  { withinMs: 31 * 86_400_000, everyMs: 8 * 3_600_000 },
  { withinMs: Infinity, everyMs: 24 * 3_600_000 },
];
const shortestGapMs = 30_000;
/** While checks hang: short enough that the app counts the node as watched and so as stalled. */
const hangGapMs = 60_000;
/**
 * After an event each wait is this share of the time since it. A state counts as known for three times the shorter of
 * the last two waits, so waits may grow by the square root of three.
 */
const growth = 0.7;
/** How long after a change it is polled. */
const askedAfterMs = 2_000;

/**
 * The past of a node as its answers, oldest first: frequent while something happens, then ever sparser,
 * and sparser the longer ago it is, since a year has a million rounds. A node gives them that runs through its stories.
 */
function* answersOfPast(
  { checks, periodMs, roundsFromMs }: PastNode,
  past: NodePast,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Generator<PastAnswer> {
  const script = createScript({ title: '', shape: 'current', repeat: false, phases: phasesOf(past) }, fromMs);
  let atMs = fromMs;
  const firstRound = Math.round((fromMs - roundsFromMs) / periodMs);
  const health = createNodeHealth(checks, { nowMs: () => atMs }, periodMs, script, firstRound);
  for (atMs += askedAfterMs; atMs < untilMs;) {
    const { phase, beginsAtMs, endsAtMs } = script.at(atMs);
    if (phase.down) yield { atMs, failure: 'refused' };
    else {
      const reply = health.health([]);
      yield { atMs, status: reply.healthy ? 200 : 503, body: JSON.stringify(reply) };
    }
    const hangs = Object.values(phase.checks).some(({ durationSeconds }) => durationSeconds !== undefined);
    const rhythmMs = rhythms.find(({ withinMs }) => untilMs - atMs <= withinMs)?.everyMs ?? shortestGapMs;
    const gapMs = Math.max(shortestGapMs, Math.floor(growth * (atMs - beginsAtMs)));
    atMs = Math.min(atMs + Math.min(gapMs, hangs ? hangGapMs : rhythmMs), endsAtMs + askedAfterMs);
  }
}

/** The phases of all stories with the quiet times between them. */
function phasesOf({ forSeconds, stories }: NodePast): Phase[] {
  let leftSeconds = forSeconds;
  const phases = stories.flatMap((story) => {
    const quiet = { forSeconds: leftSeconds - story.agoSeconds };
    leftSeconds = story.agoSeconds - secondsOf(story.phases);
    return [quiet, ...story.phases];
  });
  return [...phases, {}].map((phase) => ({ checks: {}, down: false, ...phase }));
}

function secondsOf(phases: readonly PastPhase[]): number {
  return phases.reduce((total, { forSeconds }) => total + forSeconds, 0);
}
