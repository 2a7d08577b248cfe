import { EventEmitter } from 'node:events';
import type { App, BrowserWindow } from 'electron';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimSingleInstance, followLifecycle, type WhenClosed } from './lifecycle.ts';

class FakeWindow extends EventEmitter {
  isThere = true;
  /** A form of its page has something typed. */
  isTyped = false;
  /** Its page does not answer. */
  isHung = false;
  shows = 0;
  loads = 1;
  readonly webContents = Object.assign(new EventEmitter(), {
    reload: vi.fn(() => {
      if (!this.unloads()) return;
      this.loads += 1;
      this.webContents.emit('did-navigate');
    }),
  });

  isSmall = false;

  isMinimized(): boolean {
    return this.isSmall;
  }

  restore(): void {
    this.isSmall = false;
  }

  isDestroyed(): boolean {
    return !this.isThere;
  }

  show(): void {
    this.shows += 1;
  }

  focus(): void {
    this.shows += 0;
  }

  destroy(): void {
    this.isThere = false;
    this.emit('closed');
  }

  /** As the user does; returns whether it has closed. */
  close(): boolean {
    const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
    this.emit('close', event);
    if (!event.isPrevented && !this.isHung && this.unloads()) this.destroy();
    return !this.isThere;
  }

  /** Whether its page goes, as when the window closes or loads it again. */
  unloads(): boolean {
    let isGoing = !this.isTyped;
    if (this.isTyped)
      this.webContents.emit('will-prevent-unload', { preventDefault: () => (isGoing = true) });
    return isGoing;
  }
}

function start({
  choice = null as WhenClosed | null,
  answer = (): WhenClosed | null => null,
  discards = (): boolean => false,
  startsHidden = false,
  close = async (): Promise<void> => undefined,
} = {}) {
  const windows: FakeWindow[] = [];
  let quits = 0;
  let questions = 0;
  let wentOn = 0;
  let startsAgain = 0;
  const app = Object.assign(new EventEmitter(), {
    exit: vi.fn(),
    quit: () => {
      quits += 1;
      app.emit('before-quit');
      windows.forEach((window) => window.isThere && window.close());
    },
  });
  const lifecycle = followLifecycle({
    // The emitter has what the lifecycle uses of it.
    app: app as unknown as App,
    log: { info: () => undefined, warn: () => undefined, error: () => '' },
    openWindow: () => {
      const window = new FakeWindow();
      window.on('closed', () => app.emit('window-all-closed'));
      windows.push(window);
      return window as unknown as BrowserWindow;
    },
    startsHidden,
    whenClosed: () => choice,
    askWhenClosed: async () => {
      questions += 1;
      return answer();
    },
    askToDiscard: async () => {
      questions += 1;
      return discards();
    },
    goesOn: () => (wentOn += 1),
    startAgain: () => (startsAgain += 1),
    close,
    endsAtOnce: () => false,
  });
  return {
    ...{ app, windows, ...lifecycle },
    ...{ quits: () => quits, questions: () => questions, wentOn: () => wentOn },
    startsAgain: () => startsAgain,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a start that gets no lock', () => {
  const claim = (folder: string) => {
    const app = { requestSingleInstanceLock: () => false, exit: vi.fn(), whenReady: async () => undefined };
    const dialog = { showErrorBox: vi.fn() };
    expect(claimSingleInstance(app, dialog, [tmpdir(), folder])).toBe(false);
    return { app, dialog };
  };

  it('is the second one and ends', async () => {
    const { app, dialog } = claim(tmpdir());
    await settled();
    expect([app.exit.mock.calls, dialog.showErrorBox.mock.calls]).toEqual([[[0]], []]);
  });

  it('says so where a folder cannot be written', async () => {
    const { app, dialog } = claim('/no such folder');
    await settled();
    expect(dialog.showErrorBox.mock.calls[0]?.[1]).toContain('/no such folder');
    expect(app.exit.mock.calls).toEqual([[1]]);
  });
});

describe('the lifecycle', () => {
  it('loads a page again that the system has ended, and not more often than every 10 s', () => {
    vi.useFakeTimers();
    const { windows } = start();
    const contents = windows[0]?.webContents;
    const reloads = () => contents?.reload.mock.calls.length;
    const die = (reason = 'oom') => contents?.emit('render-process-gone', {}, { reason });
    die('clean-exit');
    vi.advanceTimersByTime(1);
    expect(reloads()).toBe(0);
    die();
    vi.advanceTimersByTime(1);
    expect(reloads()).toBe(1);
    die();
    vi.advanceTimersByTime(9_000);
    expect(reloads()).toBe(1);
    vi.advanceTimersByTime(1_001);
    expect(reloads()).toBe(2);
  });

  it('ends within 5 s, at once, where closing hangs', async () => {
    vi.useFakeTimers();
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const { app } = start({ close: () => new Promise(() => undefined) });
    app.emit('will-quit', { preventDefault: () => undefined });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(app.exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL');
  });

  it.each([
    ['keep', false],
    ['quit', true],
  ] as const)('destroys the window when it is closed, and %ss', (choice, ends) => {
    const { windows, quits, questions, wentOn } = start({ choice });
    expect(windows[0]?.close()).toBe(true);
    expect([quits(), questions()]).toEqual([ends ? 1 : 0, 0]);
    // Its page may not have asked for anything yet.
    expect(wentOn()).toBe(ends ? 0 : 1);
  });

  it.each([
    ['keep', false, false],
    ['quit', false, true],
    [null, true, false],
  ] as const)('asks where nothing is chosen; the answer is %s', async (answer, stays, ends) => {
    const { windows, quits, questions } = start({ answer: () => answer });
    expect(windows[0]?.close()).toBe(false);
    windows[0]?.close();
    await settled();
    expect([windows[0]?.isThere, quits(), questions()]).toEqual([stays, ends ? 1 : 0, 1]);
  });

  it.each([true, false])(
    'asks, once, whether to discard what is typed in the page; the answer is %s',
    async (discards) => {
      const { windows, questions, wentOn } = start({ choice: 'keep', discards: () => discards });
      const [window] = windows;
      if (window === undefined) throw new Error('no window');
      window.isTyped = true;
      expect([window.close(), window.close()]).toEqual([false, false]);
      await settled();
      expect([window.isThere, questions(), wentOn()]).toEqual([!discards, 1, discards ? 1 : 0]);
      // Later, with nothing typed.
      window.isTyped = false;
      if (window.isThere) expect(window.close()).toBe(true);
    },
  );

  it.each([
    ['quit', true],
    ['keep', false],
  ] as const)(
    'asks of what is typed also after the first question, where the answer was %s',
    async (answer, ends) => {
      let discards = false;
      const { windows, questions, quits } = start({ answer: () => answer, discards: () => discards });
      const [window] = windows;
      if (window === undefined) throw new Error('no window');
      window.isTyped = true;
      window.close();
      await settled();
      expect([window.isThere, questions(), quits()]).toEqual([true, 2, 0]);
      discards = true;
      // Here the answer could not be kept, so that it is asked for again.
      window.close();
      await settled();
      expect([window.isThere, questions(), quits()]).toEqual([false, 4, ends ? 1 : 0]);
    },
  );

  it.each([true, false])(
    'asks, each time, before its page is loaded again with something typed; the answer is %s',
    async (discards) => {
      const { windows, questions } = start({ choice: 'keep', discards: () => discards });
      const [window] = windows;
      if (window === undefined) throw new Error('no window');
      window.isTyped = true;
      for (const times of [1, 2]) {
        window.webContents.reload();
        await settled();
        expect([questions(), window.loads, window.isThere]).toEqual([times, discards ? 1 + times : 1, true]);
      }
    },
  );

  it('loads its page again without a question where the app does it, and asks afterwards as before', async () => {
    const { windows, questions, reload } = start({ choice: 'keep' });
    const [window] = windows;
    if (window === undefined) throw new Error('no window');
    window.isTyped = true;
    reload();
    expect([questions(), window.loads]).toEqual([0, 2]);
    window.close();
    await settled();
    expect([questions(), window.isThere]).toEqual([1, true]);
  });

  it.each([true, false])(
    'asks, once, before it quits, whether to discard what is typed in the page; the answer is %s',
    async (discards) => {
      const { app, windows, questions, quits, wentOn } = start({ choice: 'keep', discards: () => discards });
      const [window] = windows;
      if (window === undefined) throw new Error('no window');
      window.isTyped = true;
      app.quit();
      // The key is held down.
      app.quit();
      expect(window.isThere).toBe(true);
      await settled();
      expect([window.isThere, questions(), quits()]).toEqual([!discards, 1, discards ? 3 : 2]);
      // Later it closes as ever.
      window.isTyped = false;
      if (window.isThere) window.close();
      expect(wentOn()).toBe(discards ? 0 : 1);
    },
  );

  it.each([
    ['its window is closed', false],
    ['the app quits', true],
  ])('does not wait for ever for a page that hangs when %s', (_what, quits) => {
    const { app, windows, wentOn } = start({ choice: 'keep' });
    const [window] = windows;
    if (window === undefined) throw new Error('no window');
    window.isHung = true;
    window.emit('unresponsive');
    expect(window.isThere).toBe(true);
    if (quits) app.quit();
    else window.close();
    expect(window.isThere).toBe(true);
    // Some seconds later.
    window.emit('unresponsive');
    expect([window.isThere, wentOn()]).toEqual([false, 1]);
  });

  it('asks again where the question has failed', async () => {
    const { windows, questions } = start({
      answer: () => {
        throw new Error('no such window');
      },
    });
    windows[0]?.close();
    await settled();
    windows[0]?.close();
    expect(questions()).toBe(2);
  });

  it('asks nothing of who quits', () => {
    const { app, windows, questions } = start();
    app.quit();
    expect(windows[0]?.isThere).toBe(false);
    expect(questions()).toBe(0);
  });

  it.each(['second-instance', 'activate'])(
    'opens the window again at %s, or brings it to the front',
    (event) => {
      const { app, windows } = start({ choice: 'keep' });
      windows.forEach((window) => (window.isSmall = true));
      app.emit(event, {}, []);
      expect(windows).toMatchObject([{ shows: 1, isSmall: false }]);
      windows[0]?.close();
      app.emit(event, {}, []);
      expect(windows).toHaveLength(2);
    },
  );

  it.each(['keep', 'quit'] as const)(
    'opens the window again that was closing when somebody asked for it, where closing it means %s',
    (choice) => {
      const { app, windows, quits, wentOn } = start({ choice });
      const [window] = windows;
      if (window === undefined) throw new Error('no window');
      window.isHung = true;
      window.close();
      app.emit('second-instance', {}, []);
      window.destroy();
      expect([windows.length, quits(), wentOn()]).toEqual([2, 0, 0]);
      windows[1]?.close();
      expect([windows.length, quits(), wentOn()]).toEqual(choice === 'quit' ? [2, 1, 0] : [2, 0, 1]);
    },
  );

  it('starts again for who asks for it while it quits, but not where something typed has kept it', async () => {
    let discards = false;
    const { app, windows, startsAgain } = start({ choice: 'keep', discards: () => discards });
    const [window] = windows;
    if (window === undefined) throw new Error('no window');
    window.isHung = true;
    app.quit();
    app.emit('second-instance', {}, []);
    [window.isHung, window.isTyped] = [false, true];
    window.unloads();
    await settled();
    expect([window.isThere, startsAgain()]).toEqual([true, 0]);
    discards = true;
    window.isHung = true;
    app.quit();
    app.emit('second-instance', {}, []);
    app.emit('will-quit', { preventDefault: () => undefined });
    expect(startsAgain()).toBe(1);
  });

  it('starts again, once, for who starts it while it ends: no window that is gone in a moment', () => {
    const { app, windows, startsAgain } = start({ startsHidden: true });
    app.emit('will-quit', { preventDefault: () => undefined });
    app.emit('second-instance', {}, []);
    app.emit('second-instance', {}, []);
    expect([windows.length, startsAgain()]).toEqual([0, 1]);
  });

  it('opens no window for a second start that wants none, as that of an autostart entry', () => {
    const { app, windows } = start({ startsHidden: true });
    app.emit('second-instance', {}, ['watchkeeper', '--background']);
    expect(windows).toHaveLength(0);
  });

  it('starts without a window where that is wanted, until it is asked for', () => {
    const { windows, reveal } = start({ startsHidden: true });
    expect(windows).toHaveLength(0);
    reveal();
    reveal();
    expect(windows).toHaveLength(1);
  });
});
