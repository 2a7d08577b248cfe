import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import electronPath from 'electron';
import { _electron, type ElectronApplication, type Page, type TestInfo } from 'playwright/test';
import type { SampleService } from './sample-service.ts';

export const projectDir = join(import.meta.dirname, '..');

// In plain Node the package's export is the path of the runtime.
export const runtimePath = electronPath as unknown as string;

/**
 * Playwright's own module that holds back the app's "ready" until Playwright is attached. It loads it by itself only
 * when it finds the runtime by itself; without it a window that opens while Playwright attaches is sometimes missed.
 */
const holdUntilAttached = join(
  dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
  'lib/server/electron/loader.js',
);

const heldClock = join(import.meta.dirname, 'held-clock.cjs');

/** Whether a trace of each run is kept for tests that fail. It costs a fifth to a quarter more processor time. */
export const isTraced = process.env['WATCHKEEPER_TRACE'] === '1';

export interface LaunchOptions {
  /** Added to the environment of the app; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  args?: readonly string[];
  /**
   * `held`: waits of a second and more end only by `passTime`, and where a moment is given (milliseconds since 1970) it is
   * that moment now. By default time passes by itself.
   */
  clock?: 'held' | 'real' | { startsAtMs: number };
  /**
   * `still`: nothing moves unless a test asks for it, and no process plays the graphics card that a display without a
   * screen lacks; `usual`: as a person has it. By default `still`, which costs less.
   */
  drawing?: 'still' | 'usual';
  /** A program that starts the runtime in its own way; by default the runtime itself. */
  executablePath?: string;
}

/** One profile folder of the app, which outlives the runs of the app in it. */
export class Profile {
  readonly dir: string;
  readonly #running = new Set<RunningApp>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Writes settings that point the app at a sample service, as a person would in Settings. */
  async useService({ ready }: SampleService): Promise<void> {
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
      }),
      cwd: this.dir,
    });
    try {
      const running = new RunningApp(app, await app.firstWindow());
      this.#running.add(running);
      if (isTraced) await app.context().tracing.start({ snapshots: true });
      return running;
    } catch (error) {
      app.process().kill('SIGKILL');
      throw error;
    }
  }

  /** For a test that has failed: what is on the screen of each run that has not ended, and how it came to that. */
  async keepEvidence(testInfo: TestInfo): Promise<void> {
    for (const running of this.#running) await running.keepEvidence(testInfo);
  }

  async closeAll(): Promise<void> {
    for (const running of this.#running) await running.quit();
  }
}

/** The app as it runs: its main process and its page. */
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

  /** The main process. */
  get pid(): number {
    const { pid } = this.app.process();
    if (pid === undefined) throw new Error('The app did not start.');
    return pid;
  }

  /** For a test that has failed: what is on the screen, and how it came to that. Nothing of an app that has ended. */
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

  /** For an app whose clock is held: lets time pass at once, and all end that was to end meanwhile. */
  async passTime(ms: number): Promise<void> {
    await this.app.evaluate((_electron, passedMs) => {
      // Put there by `held-clock.cjs`.
      (globalThis as unknown as { passTime: (passedMs: number) => void }).passTime(passedMs);
    }, ms);
  }

  /** For an app whose clock is held: goes on to this moment, milliseconds since 1970; from then on only `passTime` moves it. */
  async stopClock(atMs: number): Promise<void> {
    await this.app.evaluate((_electron, stopAtMs) => {
      // Put there by `held-clock.cjs`.
      (globalThis as unknown as { stopClock: (atMs: number) => void }).stopClock(stopAtMs);
    }, atMs);
  }

  /** Keeps what of the system this class and tests replace, and where the window is, for `giveBackSystem`. */
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

  /** The system's dialog for saving, which cannot be operated, is answered with this place from now on; null cancels it. */
  async saveTo(filePath: string | null): Promise<void> {
    await this.app.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: path === null, filePath: path ?? '' });
    }, filePath);
  }

  /**
   * From now on the app copies into a list of its own, read by the function returned: tests that run at the same time
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

  /** From now on the app opens nothing outside; what it would have opened is read by the function returned. */
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

  /** Quits as a person would; data in flight is kept. */
  async quit(): Promise<void> {
    if (!this.#ended) await this.app.close();
  }

  /** Ends the process without a chance to tidy up. */
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
