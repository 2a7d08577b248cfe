import { endpoints } from '../../../shared/endpoints/registry.ts';
import { nodeCalls } from '../../../shared/health/node-calls.ts';

/** A name, and what stands for it in the searched text of runs: an address, the id of a chain, the URL of a node. */
export interface KnownAs {
  name: string;
  value: string;
}

/** Limits for the words of a search, and for the things that one word names. */
const mostWords = 20;
const mostMeant = 50;

/** What is asked by its path, its method and its number, as documentation calls it; and states, as the window calls them. */
const operations: readonly KnownAs[] = [
  ...Object.values(endpoints).map(({ id, path, number }) => ({
    name: `${path} endpoint ${number}`.toLowerCase(),
    value: id,
  })),
  ...nodeCalls.map((call) => ({
    name: `${call.path} ${call.protocol === 'get' ? 'get' : call.method}`.toLowerCase(),
    value: call.id,
  })),
  { name: 'more pages, incomplete, stopped', value: 'partial' },
  { name: 'fetching…', value: 'running' },
];

const asked = Object.values(endpoints).map(({ id, path }) => ({
  id,
  pattern: new RegExp(`^(?:https?://.+)?${path.replaceAll(/\{\w+\}/g, '([^/{}]+)')}(?:\\?.*)?$`, 'i'),
}));

/** A path as it was asked, also with what curl has before and after it: its endpoint, and the values in it. */
function partsOfPath(word: string): string[] {
  for (const { id, pattern } of asked) {
    const values = pattern.exec(word)?.slice(1);
    if (values !== undefined) return [`\n${id}\n`, ...values];
  }
  return [word];
}

/**
 * The forms in which each word of a search may stand in the searched text of a run: as it is, shortened in the middle as
 * lists write long ids, or as the value that it names. `text` is in lower case.
 */
export function searchedForms(text: string, names: Iterable<KnownAs>): string[][] {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .flatMap(partsOfPath);
  const known = [...operations, ...names].map(({ name, value }) => {
    const lower = name.toLowerCase();
    return { value, held: new Set(words.filter((word) => lower.includes(word))) };
  });
  // Those that are named with the most words first: of a hundred numbered names the one with this number.
  known.sort((a, b) => b.held.size - a.held.size);
  return words.map((word) => {
    const [head, tail, ...rest] = word.split(/…|\.\.\./);
    const isShortened = head !== undefined && tail !== undefined && rest.length === 0;
    const meant = known.filter(({ held }) => held.has(word)).map(({ value }) => `\n${value.toLowerCase()}\n`);
    return [isShortened ? `\n${head}…${tail}\n` : word, ...[...new Set(meant)].slice(0, mostMeant)];
  });
}
