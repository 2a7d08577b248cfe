import { columnLimits } from '../../../shared/limits.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { WindowState } from './window.ts';

/** The widths that the user has chosen, in pixels, by the name of the column. */
export type ChosenWidths = Readonly<Settings['columnWidths']>;

/** The chosen widths of all tables: those that are kept, or what an edge that is being moved makes of them. */
export class ColumnWidths {
  /** While an edge is moved, and until they are stored. */
  #moved = $state.raw<ChosenWidths | null>(null);
  readonly #window: Pick<WindowState, 'app' | 'messages'>;

  constructor(window: Pick<WindowState, 'app' | 'messages'>) {
    this.#window = window;
  }

  get chosen(): ChosenWidths {
    return this.#moved ?? this.#window.app.settings.columnWidths;
  }

  /** Null: as wide as usual again. Beyond the most that are kept, the one that was chosen longest ago goes. */
  readonly move = (name: string, width: number | null): void => {
    const others = Object.entries(this.chosen).filter(([known]) => known !== name);
    const next: [string, number][] = width === null ? others : [...others, [name, width]];
    this.#moved = Object.fromEntries(next.slice(-columnLimits.count));
  };

  readonly keep = async (): Promise<void> => {
    const wanted = this.#moved;
    if (wanted === null) return;
    const { app, messages } = this.#window;
    await messages.report(app.updateSettings({ columnWidths: { ...wanted } }));
    if (this.#moved === wanted) this.#moved = null;
  };
}
