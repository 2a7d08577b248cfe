import type { Names } from '../filter-match.ts';
import type { Judgement } from '../verdict.ts';

/** Everything beside the rows that answers depend on. */
export interface IndexContext extends Judgement {
  names: Names;
  /** Watched addresses by the number in the store; others' rows are in no answer. */
  watched: ReadonlyMap<number, string>;
  chains: ReadonlyMap<number, string>;
}
