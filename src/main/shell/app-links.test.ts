import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { Log } from '../core/ports.ts';
import { AppLinks } from './app-links.ts';

function setUp(args: readonly string[] = []) {
  const warned: unknown[] = [];
  const log: Log = {
    info: () => undefined,
    warn: (event, fields) => warned.push([event, fields]),
    error: () => '',
  };
  const tell = vi.fn<() => void>();
  const links = new AppLinks(log, tell);
  const events = new EventEmitter();
  const setAsDefaultProtocolClient = vi.fn<() => boolean>();
  // Of Electron's app only these are used.
  const app = Object.assign(events, { isPackaged: false, setAsDefaultProtocolClient });
  links.follow(app as unknown as Parameters<AppLinks['follow']>[0], ['electron', '.', ...args]);
  return { links, tell, warned, events, setAsDefaultProtocolClient };
}

describe('AppLinks', () => {
  it('keeps the link of the start until the window takes it, once', () => {
    const { links, tell } = setUp(['watchkeeper://nodes']);
    expect(tell).toHaveBeenCalledOnce();
    expect(links.left).toEqual(['watchkeeper://nodes']);
    expect(links.take()).toEqual({ view: 'nodes' });
    expect([links.take(), links.left]).toEqual([null, []]);
  });

  it('takes the link of a second start, the last one of several', () => {
    const { links, tell, events } = setUp();
    expect(tell).not.toHaveBeenCalled();
    events.emit('second-instance', {}, ['electron', '.', 'watchkeeper://nodes']);
    events.emit('second-instance', {}, ['electron', '.', 'watchkeeper://activity']);
    expect(tell).toHaveBeenCalledTimes(2);
    expect(links.take()).toEqual({ view: 'activity' });
  });

  it('takes the link that the system hands over', () => {
    const { links, events } = setUp();
    const preventDefault = vi.fn<() => void>();
    events.emit('open-url', { preventDefault }, 'watchkeeper://overview');
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(links.take()).toEqual({ view: 'overview' });
  });

  it('drops what leads nowhere and says so in the log, without its text', () => {
    const { links, tell, warned, events } = setUp(['WATCHKEEPER://secret']);
    events.emit('second-instance', {}, ['electron', '--inspect', 'https://example.org/watchkeeper://nodes']);
    expect(links.take()).toBeNull();
    expect(tell).not.toHaveBeenCalled();
    expect(warned).toEqual([['link.refused', { letters: 20 }]]);
  });

  it('does not take links from an installed app while it runs from a folder', () => {
    expect(setUp().setAsDefaultProtocolClient).not.toHaveBeenCalled();
  });
});
