import { describe, expect, it } from 'vitest';
import { ActivityList } from '../../../state/activity-list.ts';
import { columnsIn, layouts, type ColumnId } from './columns.ts';
import { TimelineCursor } from './timeline-cursor.svelte.ts';

function cursorIn(name: keyof typeof layouts) {
  let drawn = columnsIn(layouts[name]);
  const cursor = new TimelineCursor(
    () => new ActivityList(),
    () => drawn,
  );
  const steps = (step: 1 | -1, count: number) =>
    Array.from({ length: count }, (): ColumnId | null => {
      cursor.moveCell(step);
      return cursor.cell;
    });
  return { cursor, steps, redraw: (next: keyof typeof layouts) => (drawn = columnsIn(layouts[next])) };
}

describe('the cell cursor', () => {
  it.each(['wide', 'medium', 'narrow'] as const)(
    'goes through the cells that a %s table draws, stops at the last, and comes back to the row',
    (name) => {
      const { steps } = cursorIn(name);
      const drawn = columnsIn(layouts[name]);
      const last = drawn.at(-1);
      expect(steps(1, drawn.length + 2)).toEqual([...drawn, last, last]);
      expect(steps(-1, drawn.length + 1)).toEqual([...drawn.slice(0, -1).reverse(), null, null]);
    },
  );

  it('is at the whole row where its column is drawn no more', () => {
    const { cursor, steps, redraw } = cursorIn('wide');
    steps(1, 8);
    expect(cursor.cell).toBe('method');
    redraw('narrow');
    expect(cursor.cell).toBeNull();
    expect(steps(1, 1)).toEqual(['time']);
  });
});
