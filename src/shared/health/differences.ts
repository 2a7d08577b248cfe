import type { Json } from '../json.ts';
import { describeMessage, describeValue, walkMessage } from './message.ts';
import { cleanText } from '../text.ts';
import type { CheckReport, FieldDifference, HealthReport } from './types.ts';
import { checkStateWords } from './words.ts';

const longestText = 400;

/**
 * Differences between two reports: states, errors and fields of messages with their units, but not times or counts of
 * runs. In the order of the later report, with checks missing from it last. An empty `check` is the report as a whole.
 * Empty for the first report, which has nothing to be compared with.
 */
export function reportDifferences(before: HealthReport | null, after: HealthReport): FieldDifference[] {
  if (before === null) return [];
  const differences: FieldDifference[] = [];
  if (before.healthy !== after.healthy) {
    differences.push({
      check: '',
      field: 'healthy',
      label: 'healthy',
      before: String(before.healthy),
      after: String(after.healthy),
    });
  }
  const earlier = new Map(before.checks.map((check) => [check.name, check]));
  const later = new Set<string>();
  for (const check of after.checks) {
    later.add(check.name);
    compareChecks(check.name, earlier.get(check.name) ?? null, check, differences);
  }
  for (const check of before.checks) {
    if (!later.has(check.name)) compareChecks(check.name, check, null, differences);
  }
  return differences;
}

function compareChecks(
  check: string,
  before: CheckReport | null,
  after: CheckReport | null,
  into: FieldDifference[],
): void {
  const add = (field: string, was: string | null, is: string | null): void => {
    if (was !== is) into.push({ check, field, label: field, before: was, after: is });
  };
  add('state', stateText(before), stateText(after));
  add('error', errorText(before), errorText(after));
  // When a check was added or removed, its whole message is new or gone, which is not a change of fields.
  if (before !== null && after !== null) compareMessages(check, before.message, after.message, into);
}

function stateText(check: CheckReport | null): string | null {
  return check === null ? null : checkStateWords[check.state];
}

function errorText(check: CheckReport | null): string | null {
  return check === null || check.error === null ? null : cleanText(check.error, longestText);
}

function compareMessages(
  check: string,
  before: Json | null,
  after: Json | null,
  into: FieldDifference[],
): void {
  const was = leavesOf(before);
  const is = leavesOf(after);
  const count = into.length;
  for (const field of new Set([...is.keys(), ...was.keys()])) {
    const earlier = was.get(field);
    const later = is.get(field);
    if (earlier?.exact === later?.exact) continue;
    // If both values read the same, shows all digits.
    const isSameInWords = earlier?.text === later?.text;
    into.push({
      check,
      field: field === '' ? 'message' : `message.${field}`,
      // Exact values have no units.
      label: (isSameInWords ? field.split('.').at(-1) : (later ?? earlier)?.label) || 'message',
      before: (isSameInWords ? earlier?.exact : earlier?.text) ?? null,
      after: (isSameInWords ? later?.exact : later?.text) ?? null,
    });
  }
  if (into.length > count || (describeMessage(before).complete && describeMessage(after).complete)) return;
  const exactBefore = JSON.stringify(before);
  const exactAfter = JSON.stringify(after);
  if (exactBefore === exactAfter) return;
  // Starts a little before the first difference: large messages may begin the same.
  let same = 0;
  while (exactBefore[same] === exactAfter[same]) same += 1;
  const cut = (text: string): string => cleanText(text.slice(Math.max(0, same - 40)), 120);
  into.push({ check, field: 'message', label: 'message', before: cut(exactBefore), after: cut(exactAfter) });
}

interface Leaf {
  label: string;
  text: string;
  exact: string;
}

function leavesOf(message: Json | null): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const { path, value } of walkMessage(message).leaves) {
    const described = describeValue(value, path);
    leaves.set(described.path, {
      label: described.label,
      text: described.text,
      exact: cleanText(JSON.stringify(value), longestText),
    });
  }
  return leaves;
}
