import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import type { RunTarget } from '../../../../../shared/explore/types.ts';
import { renderInApp } from '../../../testing/render.ts';
import PastQueryList from './PastQueryList.svelte';

const target: RunTarget = { kind: 'node', nodeId: 'n', callId: 'get-ext-health', tags: [] };
const list = () => screen.findByRole('list', { name: 'Past queries' });
const menus = async () => within(await list()).queryAllByRole('button', { name: /^Actions for/ });

describe('PastQueryList', () => {
  it.each([
    ['Remove', 'runs.remove'],
    ['Run again', 'runs.start'],
  ] as const)(
    'acts by %s on the query whose menu was opened, above which a new one has come',
    async (name, channel) => {
      const { bridge, explore, user } = await renderInApp(
        PastQueryList,
        {},
        { prepare: ({ runs }) => ['a', 'b'].forEach((nodeId) => runs.start({ ...target, nodeId }, 'one')) },
      );
      await expect.poll(async () => (await menus()).length).toBe(2);
      await user.click((await menus())[0] as HTMLElement);
      bridge.runs.start({ ...target, nodeId: 'c' }, 'one');
      await expect.poll(() => explore.past.at(0)?.id).toBe('run-3');
      await user.click(screen.getByRole('menuitem', { name }));
      const [asked] = bridge.argsOf(channel);
      expect(asked).toMatchObject(
        channel === 'runs.remove' ? { runId: 'run-2' } : { target: { nodeId: 'b' } },
      );
    },
  );

  it('says how many queries cannot be read', async () => {
    await renderInApp(
      PastQueryList,
      {},
      {
        prepare: (bridge) => {
          const runs = [bridge.runs.start(target, 'one')];
          bridge.answer('runs.list', () => ok({ runs, totalCount: 1, unreadableCount: 2 }));
        },
      },
    );
    await screen.findByText('1 query; 2 can’t be read');
  });

  it('begins at the newest when another filter is shown', async () => {
    const style = document.createElement('style');
    style.textContent = '.scroll { overflow-y: auto }';
    document.head.append(style);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(0, this.tagName === 'UL' ? -(this.parentElement?.scrollTop ?? 0) : 0, 300, 600);
    });
    const { user } = await renderInApp(
      PastQueryList,
      {},
      {
        prepare: (bridge) => {
          const run = bridge.runs.start(target, 'one');
          bridge.answer('runs.list', ({ filter: { text }, offset, limit }) => {
            const runs = Array.from({ length: limit }, (_, index) => ({
              ...run,
              id: `${text}${offset + index}`,
            }));
            return ok({ runs, totalCount: text === '' ? 2_000 : 500, unreadableCount: 0 });
          });
        },
      },
    );
    const frame = (await list()).parentElement as HTMLElement;
    frame.scrollTop = 200 * 68;
    await fireEvent.scroll(frame);
    await expect.poll(async () => (await menus()).length).toBe(40);
    await user.type(screen.getByRole('searchbox'), 'h');
    await expect.poll(() => frame.scrollTop).toBe(0);
    await fireEvent.scroll(frame);
    await expect.poll(async () => (await menus()).length).toBe(40);
    style.remove();
    vi.restoreAllMocks();
  });
});
