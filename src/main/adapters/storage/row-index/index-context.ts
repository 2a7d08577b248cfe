import type { Names } from '../filter-match.ts';
import type { Decision, LookAlikes } from '../verdict.ts';

/** Everything beside the rows that answers depend on. */
export interface IndexContext {
  names: Names;
  /** Watched addresses by the number in the store; others' rows are in no answer. */
  watched: ReadonlyMap<number, string>;
  chains: ReadonlyMap<number, string>;
  lookAlikes: LookAlikes;
  /** By value of the token field. */
  tokenDecisions: ReadonlyMap<string, Decision>;
}
