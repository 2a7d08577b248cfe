import { describe, expect, it } from 'vitest';
import { err } from '../../../shared/errors.ts';
import { columnLimits } from '../../../shared/limits.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { AppState } from './app.svelte.ts';
import { ColumnWidths } from './column-widths.svelte.ts';
import { Messages } from './messages.svelte.ts';

async function start() {
  const bridge = new FakeBridge(fullWorld(testNowMs));
  installBridge(bridge);
  const app = new AppState();
  app.start();
  await expect.poll(() => app.phase).not.toBe('starting');
  const messages = new Messages(() => () => undefined);
  return { bridge, app, messages, widths: new ColumnWidths({ app, messages }) };
}

describe('the widths of columns', () => {
  it('are those that are kept, and while an edge is moved what it makes of them', async () => {
    const { bridge, app, widths } = await start();
    await app.updateSettings({ columnWidths: { time: 90 } });
    await expect.poll(() => widths.chosen).toEqual({ time: 90 });
    widths.move('fee', 100);
    widths.move('fee', 101);
    expect(widths.chosen).toEqual({ time: 90, fee: 101 });
    expect(app.settings.columnWidths).toEqual({ time: 90 });
    await widths.keep();
    await widths.keep();
    expect(bridge.argsOf('settings.update')).toHaveLength(2);
    expect(app.settings.columnWidths).toEqual({ time: 90, fee: 101 });
  });

  it('are as they were, with a message, where they cannot be stored', async () => {
    const { bridge, messages, widths } = await start();
    bridge.answer('settings.update', () => err({ code: 'storage', message: 'The disk is full.' }));
    widths.move('fee', 100);
    await widths.keep();
    expect(widths.chosen).toEqual({});
    expect(messages.list).toHaveLength(1);
  });

  it('are not more than can be kept: the one chosen longest ago goes', async () => {
    const { app, widths } = await start();
    const all = Array.from({ length: columnLimits.count }, (_, index) => [`transaction field${index}`, 100]);
    await app.updateSettings({ columnWidths: Object.fromEntries(all) as Record<string, number> });
    await expect.poll(() => Object.keys(widths.chosen)).toHaveLength(columnLimits.count);
    widths.move('transaction field0', 120);
    widths.move('time', 90);
    expect(Object.keys(widths.chosen)).toHaveLength(columnLimits.count);
    expect(widths.chosen).toMatchObject({ 'transaction field0': 120, time: 90 });
    expect(widths.chosen).not.toHaveProperty('transaction field1');
  });

  it('are as usual again where none is chosen any more', async () => {
    const { app, widths } = await start();
    await app.updateSettings({ columnWidths: { time: 90, fee: 100 } });
    await expect.poll(() => widths.chosen).toEqual({ time: 90, fee: 100 });
    widths.move('time', null);
    expect(widths.chosen).toEqual({ fee: 100 });
    await widths.keep();
    expect(app.settings.columnWidths).toEqual({ fee: 100 });
  });

  it('follow an edge that is moved again while they are stored', async () => {
    const { bridge, app, widths } = await start();
    widths.move('fee', 100);
    const keeping = widths.keep();
    widths.move('fee', 140);
    await keeping;
    expect(widths.chosen).toEqual({ fee: 140 });
    await widths.keep();
    expect(app.settings.columnWidths).toEqual({ fee: 140 });
    // What another window stores is shown from then on.
    bridge.emit('settings.changed', { ...app.settings, columnWidths: { fee: 70 } });
    expect(widths.chosen).toEqual({ fee: 70 });
  });

  it('of a column moved again count as chosen last', async () => {
    const { widths } = await start();
    widths.move('time', 90);
    widths.move('fee', 100);
    widths.move('time', 95);
    expect(Object.entries(widths.chosen)).toEqual([
      ['fee', 100],
      ['time', 95],
    ]);
  });
});
