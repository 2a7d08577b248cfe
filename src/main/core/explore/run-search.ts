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

/** What is asked by its path, its method and its number, as documentation calls it. */
const operations: readonly KnownAs[] = [
  ...Object.values(endpoints).map(({ id, path, number }) => ({
    name: `${path} endpoint ${number}`.toLowerCase(),
    value: id,
  })),
  ...nodeCalls.map((call) => ({
    name: `${call.path} ${call.protocol === 'get' ? 'get' : call.method}`.toLowerCase(),
    value: call.id,
  })),
];

/**
 * The forms in which each word of a search may stand in the searched text of a run: as it is, shortened in the middle as
 * lists write long ids, or as the value that it names. `text` is in lower case.
 */
export function searchedForms(text: string, names: Iterable<KnownAs>): string[][] {
  const known = [...operations, ...names];
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.slice(0, mostWords).map((word) => {
    const [head, tail, ...rest] = word.split(/…|\.\.\./);
    const isShortened = head !== undefined && tail !== undefined && rest.length === 0;
    const meant = known.filter(({ name }) => name.toLowerCase().includes(word)).slice(0, mostMeant);
    return [
      isShortened ? `\n${head}…${tail}\n` : word,
      ...meant.map(({ value }) => `\n${value.toLowerCase()}\n`),
    ];
  });
}
