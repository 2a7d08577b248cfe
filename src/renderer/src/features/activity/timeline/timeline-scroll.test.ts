import { flushSync, type Component } from 'svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import { layouts } from './columns.ts';
import { TimelineScroll } from './timeline-scroll.svelte.ts';

it.each([50_000, 1_000_000])(
  'keeps its place among %i rows when these become higher or lower, as in a narrower window',
  async (count) => {
    const made: TimelineScroll[] = [];
    const Part: Component = () => {
      made.push(new TimelineScroll({ count: () => count, fit: () => false }));
      return {};
    };
    await renderInApp(Part, {});
    const [scroll] = made;
    if (scroll === undefined) throw new Error('not made');
    const resize = (width: number) => {
      scroll.width = width;
      flushSync();
    };
    scroll.height = 831;
    resize(layouts.wide.from);
    scroll.reveal(count / 2);
    const { first } = scroll;
    for (const { from } of [layouts.medium, layouts.tight, layouts.wide]) {
      resize(from);
      expect([scroll.first, scroll.rowHeight * (scroll.last - scroll.first) < 900]).toEqual([first, true]);
    }
  },
);
