import type { HealthReport, TagChecks, TagView } from '../../../../shared/health/types.ts';
import { listed, nameList } from '../../../../shared/health/names.ts';
import { cleanText, counted } from '../../../../shared/text.ts';

/** A tag that no subnet has: the node answers with the checks of no subnet, which are the global ones. */
export const noSubnetTag = 'watchkeeper-no-subnet';

/**
 * Tags that select nothing but global checks, as a mistyped one does. Tags not asked for yet are not judged. Empty
 * where tags make no difference: every check is global, or the node is too old for tags.
 */
export function unmatchedTags(
  tags: readonly string[],
  learned: readonly TagChecks[],
  allChecks: readonly string[],
): string[] {
  const checksOf = (tag: string): string[] | undefined => learned.find((known) => known.tag === tag)?.checks;
  const globals = checksOf(noSubnetTag);
  if (globals === undefined) return [];
  const isGlobal = new Set(globals);
  if (allChecks.every((check) => isGlobal.has(check))) return [];
  return tags.filter((tag) => checksOf(tag)?.every((check) => isGlobal.has(check)) === true);
}

/**
 * Judges the checks that the user's tags select separately from the report as a whole: a filtered report that is
 * healthy says nothing about the checks it leaves out (specification, "States and transitions"). Null while it is
 * unknown what the tags select.
 */
export function judgeTags(
  tags: readonly string[],
  all: HealthReport,
  learned: readonly TagChecks[],
): TagView | null {
  const known = new Map(learned.map(({ tag, checks }) => [tag, checks]));
  if (!tags.every((tag) => known.has(tag))) return null;
  const isSelected = new Set(tags.flatMap((tag) => known.get(tag) ?? []));
  const selected = all.checks.filter(({ name }) => isSelected.has(name));
  const failing = all.checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
  const selectedFailing = failing.filter((name) => isSelected.has(name));
  const others = failing.filter((name) => !isSelected.has(name));
  const selectedHealthy = selected.every(({ state }) => state === 'pass' || state === 'stalled');
  const names = all.checks.map(({ name }) => name);
  const unmatched = unmatchedTags(tags, learned, names);
  const parts: string[] = [];
  const failWords = (some: readonly string[], what: string): string =>
    `${counted(some.length, what)} ${some.length === 1 ? 'fails' : 'fail'}: ${nameList(some)}`;
  if (selectedHealthy) parts.push('the node is healthy for your subnets');
  else if (selectedFailing.length === 0)
    parts.push('the node is unhealthy for your subnets, although none of their checks fail');
  else parts.push(`the node is unhealthy for your subnets: ${failWords(selectedFailing, 'check')}`);
  if (others.length > 0) parts.push(failWords(others, 'other check'));
  if (unmatched.length > 0) {
    const verb = unmatched.length === 1 ? 'returns' : 'return';
    const which = listed(unmatched.map((tag) => cleanText(tag, 80)));
    const many = counted(unmatched.length, 'subnet id');
    parts.push(`${many} ${verb} only global checks and may be mistyped: ${which}`);
  }
  return { selectedHealthy, unmatchedTags: unmatched, words: parts.join('; ') };
}

/** Most tags that one poll asks for. */
const mostLearnedAtOnce = 4;

/** Tags to ask for next, one request each, unknown ones first. Empty once every tag is in `asked`. */
export function tagsToLearn(
  tags: readonly string[],
  learned: readonly TagChecks[],
  asked: ReadonlySet<string>,
): string[] {
  if (tags.length === 0) return [];
  const known = new Set(learned.map(({ tag }) => tag));
  const wanted = [noSubnetTag, ...tags].filter((tag) => !asked.has(tag));
  wanted.sort((a, b) => Number(known.has(a)) - Number(known.has(b)));
  return wanted.slice(0, mostLearnedAtOnce);
}

/** Adds the answer for one more tag, and drops tags that are no longer watched. */
export function withTagChecks(
  learned: readonly TagChecks[],
  tags: readonly string[],
  added: TagChecks | null,
): TagChecks[] {
  const byTag = new Map(learned.map((known) => [known.tag, known.checks]));
  if (added !== null) byTag.set(added.tag, added.checks);
  return [noSubnetTag, ...tags].flatMap((tag) => {
    const checks = byTag.get(tag);
    return checks === undefined ? [] : [{ tag, checks }];
  });
}
