import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import electronPath from 'electron';
import { _electron, type ElectronApplication, type Page, type TestInfo } from 'playwright/test';
import { evaluateOnce } from './evaluate-once.ts';
import type { SampleService } from './sample-service.ts';

export const projectDir = join(import.meta.dirname, '..');

// In plain Node the package exports the path of the runtime.
export const runtimePath = electronPath as unknown as string;

/**
 * Playwright's own module that delays the app's "ready" until Playwright is attached. Playwright loads it only
 * when it finds the runtime itself; without it a window that opens while Playwright attaches is sometimes missed.
 */
const holdUntilAttached = join(
  dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
  'lib/server/electron/loader.js',
);

const heldClock = join(import.meta.dirname, 'held-clock.cjs');

/** Whether traces are recorded for tests that fail. They cost 20 to 25 % more processor time. */
export const isTraced = process.env['WATCHKEEPER_TRACE'] === '1';

export interface LaunchOptions {
  /** Added to the environment of the app; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  args?: readonly string[];
  /**
   * `held`: waits of a second and more end only by `passTime`. With `startsAtMs` (milliseconds since 1970) it is held, too, and
   * starts at that time; with `isStopped` it stays there until `passTime`. By default real time.
   */
  clock?: 'held' | 'real' | { startsAtMs: number; isStopped?: boolean };
  /**
   * `still` (default, costs less): no animations unless a test asks for them, and no process that emulates the graphics
   * card which a virtual display lacks. `usual`: as for a user.
   */
  drawing?: 'still' | 'usual';
  /** A program that starts the runtime; by default the runtime itself. */
  executablePath?: string;
}

/** One profile folder, in which the app can run several times. */
export class Profile {
  readonly dir: string;
  readonly #running = new Set<RunningApp>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Writes settings that point the app at a sample service, as a person would in Settings. */
  async useService({
    ready,
  }: {
    ready: Pick<SampleService['ready'], 'dataUrl' | 'metricsUrl'>;
  }): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    const settings = {
      service: {
        preset: 'sample',
        dataUrl: ready.dataUrl,
        metricsUrl: ready.metricsUrl,
        keyHeader: 'x-service-api-key',
      },
      // The same on every computer.
      notation: 'iso',
    };
    await writeFile(join(this.dir, 'settings.json'), JSON.stringify(settings));
  }

  /** Starts the built app in this profile and waits for its window. */
  async launch({
    env = {},
    args = [],
    clock = 'real',
    drawing = 'still',
    executablePath = runtimePath,
  }: LaunchOptions = {}): Promise<RunningApp> {
    const app = await _electron.launch({
      executablePath,
      // Chromium's sandbox refuses to run as root, which test machines often are. The app itself never asks for this.
      args: [
        '-r',
        holdUntilAttached,
        ...(clock === 'real' ? [] : ['-r', heldClock]),
        '--no-sandbox',
        ...(drawing === 'still' ? ['--disable-gpu', '--force-prefers-reduced-motion'] : []),
        `--user-data-dir=${this.dir}`,
        ...args,
        projectDir,
      ],
      env: definedOnly({
        ...process.env,
        ...env,
        HELD_CLOCK_STARTS_AT_MS: typeof clock === 'object' ? String(clock.startsAtMs) : undefined,
        HELD_CLOCK_IS_STOPPED: typeof clock === 'object' && clock.isStopped === true ? '1' : undefined,
      }),
      cwd: this.dir,
    });
    app.evaluate = evaluateOnce(app);
    try {
      const page = await app.firstWindow();
      // A window that is not shown yet has no size.
      await page.waitForFunction(() => innerWidth > 0);
      const running = new RunningApp(app, page);
      this.#running.add(running);
      if (isTraced) await app.context().tracing.start({ snapshots: true });
      return running;
    } catch (error) {
      app.process().kill('SIGKILL');
      throw error;
    }
  }

  /** For a failed test: a picture, and the trace if there is one, of each running app. */
  async keepEvidence(testInfo: TestInfo): Promise<void> {
    for (const running of this.#running) await running.keepEvidence(testInfo);
  }

  async closeAll(): Promise<void> {
    for (const running of this.#running) await running.quit();
  }
}

/** A running app: its main process and its page. */
export class RunningApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  #ended = false;

  constructor(app: ElectronApplication, page: Page) {
    this.app = app;
    this.page = page;
    app.on('close', () => {
      this.#ended = true;
    });
  }

  /** Of the main process. */
  get pid(): number {
    const { pid } = this.app.process();
    if (pid === undefined) throw new Error('The app did not start.');
    return pid;
  }

  /** For a failed test: a picture, and the trace if there is one. Nothing when the app has ended. */
  async keepEvidence(testInfo: TestInfo): Promise<void> {
    if (this.#ended) return;
    const picture = testInfo.outputPath(`window-${this.pid}.png`);
    await this.page.screenshot({ path: picture });
    testInfo.attachments.push({ name: 'window', path: picture, contentType: 'image/png' });
    if (!isTraced) return;
    const trace = testInfo.outputPath(`trace-${this.pid}.zip`);
    await this.app.context().tracing.stop({ path: trace });
    testInfo.attachments.push({ name: 'trace', path: trace, contentType: 'application/zip' });
  }

  /** For a held clock: lets this much time pass at once, and ends the waits that end within it. */
  async passTime(ms: number): Promise<void> {
    await this.app.evaluate((_electron, passedMs) => {
      // Put there by `held-clock.cjs`.
      (globalThis as unknown as { passTime: (passedMs: number) => void }).passTime(passedMs);
    }, ms);
  }

  /** For a held clock: advances to this time (milliseconds since 1970); from then on only `passTime` moves it. */
  async stopClock(atMs: number): Promise<void> {
    await this.app.evaluate((_electron, stopAtMs) => {
      // Put there by `held-clock.cjs`.
      (globalThis as unknown as { stopClock: (atMs: number) => void }).stopClock(stopAtMs);
    }, atMs);
  }

  /** Closes the window as its button does; the question, if there is one, is answered by the button with this number. */
  async closeWindow(answer: number): Promise<{ questions: number }> {
    return await this.app.evaluate(async ({ BrowserWindow, dialog }, response) => {
      let questions = 0;
      dialog.showMessageBox = async () => {
        questions += 1;
        return { response, checkboxChecked: false };
      };
      BrowserWindow.getAllWindows()[0]?.close();
      await new Promise((resolve) => setImmediate(resolve));
      return { questions };
    }, answer);
  }

  /** Loads the page again as the menu does, until it is there or a question was asked, which is answered by the button with this number. */
  async reloadWindow(answer: number): Promise<'asked' | 'loaded'> {
    return await this.app.evaluate(({ BrowserWindow, dialog }, response) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return new Promise<'asked' | 'loaded'>((resolve) => {
        dialog.showMessageBox = async () => {
          // As with a user, the page has long stayed by then.
          await contents?.executeJavaScript('null');
          resolve('asked');
          return { response, checkboxChecked: false };
        };
        contents?.once('did-navigate', () => resolve('loaded'));
        contents?.reload();
      });
    }, answer);
  }

  async windows(): Promise<{ windows: number; renderers: number }> {
    return await this.app.evaluate(({ app, BrowserWindow }) => ({
      windows: BrowserWindow.getAllWindows().length,
      renderers: app.getAppMetrics().filter(({ type }) => type === 'Tab').length,
    }));
  }

  /** Keeps the system functions that this class and tests replace, and the window's bounds, for `giveBackSystem`. */
  async rememberSystem(): Promise<void> {
    await this.app.evaluate(({ BrowserWindow, clipboard, dialog, shell }) => {
      const { showOpenDialog, showSaveDialog } = dialog;
      const { openExternal, showItemInFolder } = shell;
      const { writeText } = clipboard;
      const bounds = BrowserWindow.getAllWindows()[0]?.getBounds();
      const giveBack = () => {
        Object.assign(dialog, { showOpenDialog, showSaveDialog });
        Object.assign(shell, { openExternal, showItemInFolder });
        Object.assign(clipboard, { writeText });
        if (bounds !== undefined) BrowserWindow.getAllWindows()[0]?.setBounds(bounds);
      };
      Object.assign(globalThis, { giveBack });
    });
  }

  async giveBackSystem(): Promise<void> {
    await this.app.evaluate(() => {
      // Put there by `rememberSystem`.
      (globalThis as unknown as { giveBack: () => void }).giveBack();
    });
  }

  /** From now on the system's save dialog, which tests cannot operate, answers with this path; null cancels it. */
  async saveTo(filePath: string | null): Promise<void> {
    await this.app.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: path === null, filePath: path ?? '' });
    }, filePath);
  }

  /**
   * From now on the app copies into a list, which the returned function reads, because tests that run at the same time
   * share one clipboard.
   */
  async catchCopies(): Promise<() => Promise<string[]>> {
    await this.app.evaluate(({ clipboard }) => {
      const copied: string[] = [];
      Object.assign(globalThis, { copied });
      clipboard.writeText = (text) => {
        copied.push(text);
        return Promise.resolve();
      };
    });
    // Set just above.
    return () => this.app.evaluate(() => (globalThis as unknown as { copied: string[] }).copied);
  }

  /** From now on the app opens nothing in other programs; the returned function reads what it would have opened. */
  async catchExternal(): Promise<() => Promise<string[]>> {
    await this.app.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = (url) => {
        opened.push(url);
        return Promise.resolve();
      };
    });
    // Set just above.
    return () => this.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  }

  /** Quits as a user would, so that pending data is saved, and discards what is typed in a form. */
  async quit(): Promise<void> {
    if (this.#ended) return;
    const answered = this.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
    });
    // It may have ended by itself, as with its message bus.
    await answered.catch(() => undefined);
    await this.app.close();
  }

  /** Kills the process without any clean-up. */
  async kill(): Promise<void> {
    if (this.#ended) return;
    const closed = this.app.waitForEvent('close');
    this.app.process().kill('SIGKILL');
    await closed;
  }
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
