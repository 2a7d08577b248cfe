import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noAnswer } from '../../../shared/health/no-answer.ts';
import { plannedAt } from '../../../shared/alerts/planned.ts';
import { defaultSettings, type AlertSettings } from '../../../shared/settings.ts';
import { decide, noAlerts, type AlertEvent, type AlertState } from './decide.ts';
import { condition, minuteMs, noonMs } from './testing/follow-decisions.ts';

const nodes = ['a', 'b', 'c'] as const;
const checks = ['C', 'P', noAnswer] as const;
const minutes = 400;
/** Then all is well, and all that was told of has to be over. */
const calmMinutes = 130;
const dueAfterMs = 90_000;
/** A message that names what was seen just after another one may come so late. */
const tellsWithinMs = 10 * minuteMs;

const some = <T>(least: number, one: fc.Arbitrary<T>) => fc.array(one, { minLength: 0, maxLength: least });
const minute = fc.integer({ min: 1, max: minutes });
const span = { from: minute, lasts: fc.integer({ min: 1, max: 90 }) };

/** A day of three nodes, of the user, and of the computer. */
const life = fc.record({
  failures: some(
    25,
    fc.record({
      ...{ ...span, node: fc.constantFrom(...nodes), check: fc.constantFrom(...checks) },
      seconds: fc.integer({ min: 0, max: 40 }),
      because: fc.option(fc.constantFrom(...nodes), { freq: 4 }),
    }),
  ),
  /** What lasts at a node then becomes one incident. */
  joins: some(3, fc.record({ node: fc.constantFrom(...nodes), from: minute })),
  work: some(4, fc.record({ ...span, node: fc.constantFrom(...nodes) })),
  quiet: some(3, fc.record(span)),
  blind: some(3, fc.record(span)),
  acknowledges: some(6, minute),
  sleeps: some(3, minute),
  starts: some(3, minute),
});

const isIn = ({ from, lasts }: { from: number; lasts: number }, at: number): boolean =>
  from <= at && at < from + lasts;

it('nothing that lasts stays untold, and nothing that was told of stays without an end, whatever meets what', () => {
  fc.assert(
    fc.property(life, (lived) => {
      let state: AlertState = noAlerts;
      const named = new Set<string>();
      const since = new Map<string, number>();
      /** What the user takes for so, by its node and check. */
      const believed = new Set<string>();
      /** For what the ids of parts of an incident stood before. */
      const stoodFor = new Map<string, string>();
      const planned = lived.work.map(({ node, from, lasts }) => ({
        ...{ nodeId: node, fromMs: noonMs + from * minuteMs, untilMs: noonMs + (from + lasts) * minuteMs },
      }));
      for (let at = 1; at < minutes + calmMinutes; at += 1) {
        const atMs = noonMs + at * minuteMs;
        const isQuiet = at < minutes && lived.quiet.some((one) => isIn(one, at));
        const isBlind = at < minutes && lived.blind.some((one) => isIn(one, at));
        const settings: AlertSettings = {
          ...{ ...defaultSettings.alerts, planned },
          pausedUntilMs: isQuiet ? Infinity : null,
        };
        const take = (event: AlertEvent): void => {
          const decision = decide(state, event, { atMs, settings });
          state = decision.state;
          for (const { alertKey, kind } of decision.messages)
            for (const alert of decision.changed.filter(
              ({ key }) => kind === 'summary' || key === alertKey,
            )) {
              const isOver = alert.endedAtMs !== null;
              for (const { ids, nodeId, subject } of alert.members) {
                for (const id of ids) named.add(id);
                if (!isOver) {
                  believed.add(`${nodeId} ${subject}`);
                  for (const id of ids) if (!stoodFor.has(id)) stoodFor.set(id, `${nodeId} ${subject}`);
                } else if (kind !== 'flapping') {
                  believed.delete(`${nodeId} ${subject}`);
                  for (const id of ids) believed.delete(stoodFor.get(id) ?? '');
                }
                // What it says is over is all that came and went at the node.
                if (kind === 'settled' && isOver)
                  for (const check of checks) believed.delete(`${nodeId} ${check}`);
              }
            }
        };
        if (lived.starts.includes(at)) state = { ...noAlerts, alerts: state.alerts };
        if (lived.sleeps.includes(at)) take({ kind: 'slept' });
        take({ kind: 'blind', isBlind });
        if (lived.acknowledges.includes(at))
          for (const [key, { endedAtMs }] of state.alerts)
            if (endedAtMs === null) take({ kind: 'acknowledge', key });
        for (const node of nodes) {
          const separate = lived.failures.flatMap((one, index) => {
            const { from, lasts, seconds, check, because } = one;
            const sinceMs = noonMs + (from - 1) * minuteMs + seconds * 1_000;
            const endsMs = noonMs + Math.min(minutes, from + lasts) * minuteMs;
            // One check has one failure at a time.
            const isSecond = lived.failures.some(
              (other, place) =>
                other.node === node &&
                other.check === check &&
                isIn(other, from) &&
                (other.from < from || place < index),
            );
            if (one.node !== node || isSecond || from > at) return [];
            const id = `${node} ${index}`;
            const join = lived.joins.findIndex(
              (other) =>
                check !== noAnswer && other.node === node && other.from <= at && isIn(one, other.from),
            );
            const known = condition(node, sinceMs, {
              ...{
                ids: [id],
                subject: check,
                because: because === null || because === node ? [] : [because],
              },
              ...{ endedAtMs: endsMs <= atMs ? endsMs : null, isDue: atMs - sinceMs >= dueAfterMs },
            });
            return [{ known, join: join < 0 ? id : `join ${join}` }];
          });
          const conditions = [...Map.groupBy(separate, ({ join }) => join).values()].flatMap((joined) => {
            const parts = joined.map(({ known }) => known).sort((a, b) => a.sinceMs - b.sinceMs);
            const ends = parts.map(({ endedAtMs }) => endedAtMs ?? Infinity);
            return parts.slice(0, 1).map((lead) => ({
              ...lead,
              ids: parts.flatMap(({ ids }) => ids),
              because: [...new Set(parts.flatMap(({ because }) => because))],
              endedAtMs: ends.includes(Infinity) ? null : Math.max(...ends),
              isDue: parts.some(({ isDue }) => isDue),
            }));
          });
          if (!isBlind) take({ kind: 'seen', nodeId: node, conditions });
          for (const { ids, because, isDue, endedAtMs } of conditions) {
            const [id = ''] = ids;
            const isExplained = lived.failures.some(
              (one) => because.includes(one.node) && one.check === noAnswer && isIn(one, at),
            );
            const isSilent = [...state.alerts.values()].some(
              ({ flapping, acknowledgedAtMs }) => flapping === 'said' || acknowledgedAtMs !== null,
            );
            const mayWait =
              isExplained || isSilent || isBlind || isQuiet || plannedAt(planned, node, atMs) !== undefined;
            if (mayWait || !isDue || endedAtMs !== null) since.delete(id);
            else if (!since.has(id)) since.set(id, atMs);
            if (atMs - (since.get(id) ?? atMs) > tellsWithinMs) expect([...named]).toContain(id);
          }
        }
        take({ kind: 'tick' });
      }
      const left = [...state.alerts.values()].filter(
        ({ endedAtMs, isHeld, flapping }) => endedAtMs === null || isHeld || flapping === 'said',
      );
      expect({ left, believed: [...believed] }).toEqual({ left: [], believed: [] });
    }),
    { numRuns: 150 },
  );
});
