import type { ActivityList } from '../../../state/activity-list.ts';
import type { ColumnId } from './columns.ts';

/** The keyboard's position in a timeline: a row, and one of its cells or the whole row. */
export class TimelineCursor {
  place = $state(0);
  #cell = $state<ColumnId | null>(null);
  #rowId: number | null = null;
  readonly #list: () => ActivityList;
  readonly #drawn: () => readonly ColumnId[];

  constructor(list: () => ActivityList, drawn: () => readonly ColumnId[]) {
    this.#list = list;
    this.#drawn = drawn;
  }

  /** Null for the row as a whole, also where the column of the cell is drawn no more. */
  get cell(): ColumnId | null {
    return this.#cell !== null && this.#drawn().includes(this.#cell) ? this.#cell : null;
  }

  moveTo(place: number): void {
    const list = this.#list();
    this.place = Math.min(Math.max(0, place), list.count - 1);
    this.#rowId = list.at(this.place)?.id ?? null;
  }

  /** Moves to the next or previous cell; from the first cell back to the whole row. */
  moveCell(step: 1 | -1): void {
    const drawn = this.#drawn();
    const index = this.cell === null ? -1 : drawn.indexOf(this.cell);
    this.#cell = drawn[Math.min(index + step, drawn.length - 1)] ?? null;
  }

  toStart(): void {
    this.place = 0;
    this.#rowId = null;
    this.leaveCells();
  }

  /** Back to the row as a whole. */
  leaveCells(): void {
    this.#cell = null;
  }

  /** Rows were replaced, and the visible ones are now `places` further down: follows the row while it is loaded. */
  follow(places: number): void {
    const list = this.#list();
    const known = this.#rowId === null ? null : list.placeOf(this.#rowId);
    if (known !== null) this.place = known;
    else if (this.place !== 0) this.place = Math.max(0, Math.min(this.place + places, list.count - 1));
  }
}
