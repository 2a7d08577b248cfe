import type { Names } from '../filter-match.ts';
import type { Judgement } from '../verdict.ts';

/** Everything besides the rows that results depend on. */
export interface IndexContext extends Judgement {
  names: Names;
  /** Watched addresses by their id in the store; rows of other addresses are never in a result. */
  watched: ReadonlyMap<number, string>;
  chains: ReadonlyMap<number, string>;
}
