import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { serviceFolder } from '../src/main/adapters/storage/opening/service-folder.ts';
import { defaultSettings, sampleServiceProfile } from '../src/shared/settings.ts';
import { isTraced, type Profile, type RunningApp } from './running-app.ts';
import type { SampleService } from './sample-service.ts';

/** Nothing answers there, and nothing is asked for as long as nothing is watched. */
const noService = 'http://127.0.0.1:1/no-service-';

/**
 * One run of the app for test after test that needs no start of its own: a start takes longer than many a test. What a
 * test did is undone by what the app itself has for that: another service has a store of its own, and its window
 * starts over.
 */
export class SharedApp {
  readonly #profile: Profile;
  readonly #running: RunningApp;
  /** What is to be seen of an app that was never used; but for the service that it asks. */
  readonly #asNew: unknown;
  #handedOver = 0;

  private constructor(profile: Profile, running: RunningApp, asNew: unknown) {
    this.#profile = profile;
    this.#running = running;
    this.#asNew = asNew;
  }

  /** In a profile that nobody has used. */
  static async start(profile: Profile): Promise<SharedApp> {
    const running = await profile.launch();
    await running.rememberSystem();
    await welcome(running);
    await expect.poll(() => keychainOf(running)).not.toBe('unknown');
    return new SharedApp(profile, running, await stateOf(running));
  }

  /**
   * As new, with its data from this service, or from none; it fails when something of the test before is left after so
   * many milliseconds, in which what the app still does is done.
   */
  async handOver(service: SampleService | null, patienceMs = 60_000): Promise<RunningApp> {
    const { page } = this.#running;
    this.#handedOver += 1;
    const nowhere = `${noService}${this.#handedOver}`;
    const { dataUrl, metricsUrl } = service?.ready ?? { dataUrl: nowhere, metricsUrl: nowhere };
    // What is to be completed is no setting of its own: it is said of a service.
    const { completing: _, ...others } = defaultSettings;
    const settings = {
      ...others,
      notation: 'iso' as const,
      service: { ...sampleServiceProfile, dataUrl, metricsUrl },
    };
    if (isTraced) await page.context().tracing.startChunk();
    await this.#running.giveBackSystem();
    await page.mouse.move(0, 0);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    // The window starts over when the store of the other service is open.
    const startedOver = page.waitForEvent('load');
    const updated = await page.evaluate((all) => window.watchkeeper.invoke('settings.update', all), settings);
    if (!updated.ok) throw new Error(updated.error.message);
    await startedOver;
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await this.#forgetOtherServices(dataUrl);
    await expect
      .poll(() => stateOf(this.#running), {
        message: 'something of the test before is left',
        timeout: patienceMs,
      })
      .toEqual(this.#asNew);
    await welcome(this.#running);
    return this.#running;
  }

  /** To be called while the nodes of the test still answer: one that does not is an incident. */
  async takeBack(): Promise<void> {
    if (isTraced) await this.#running.page.context().tracing.stopChunk();
    await this.#running.page.evaluate(async () => {
      const { invoke } = window.watchkeeper;
      const snapshot = await invoke('app.snapshot', undefined);
      if (!snapshot.ok) throw new Error(snapshot.error.message);
      for (const { node } of snapshot.value.nodes) await invoke('nodes.remove', { id: node.id });
      for (const { id } of snapshot.value.recordings) await invoke('recordings.close', { id });
    });
  }

  /** A later service may get the port of an earlier one, and must not find its store. */
  async #forgetOtherServices(dataUrl: string): Promise<void> {
    const folder = join(this.#profile.dir, 'services');
    for (const name of await readdir(folder)) {
      if (name !== serviceFolder(dataUrl)) await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

async function welcome({ page }: RunningApp): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome to Watchkeeper' }).waitFor();
}

async function keychainOf({ page }: RunningApp): Promise<string> {
  return await page.evaluate(async () => {
    const snapshot = await window.watchkeeper.invoke('app.snapshot', undefined);
    return snapshot.ok ? snapshot.value.secret.keychain : 'unknown';
  });
}

/** All that the app tells of what it holds, but which service it asks and how that went. */
async function stateOf({ app, page }: RunningApp): Promise<unknown> {
  const shown = await app.evaluate(({ BrowserWindow }) => {
    const [only, ...others] = BrowserWindow.getAllWindows();
    return { bounds: only?.getBounds(), isMinimized: only?.isMinimized(), others: others.length };
  });
  const told = await page.evaluate(async () => {
    const { invoke } = window.watchkeeper;
    const filter = { nodeId: null, check: null, state: 'all', fromMs: null, toMs: null, text: '' } as const;
    const snapshot = await invoke('app.snapshot', undefined);
    if (!snapshot.ok) throw new Error(snapshot.error.message);
    const { connection: _connection, budget: _budget, settings, ...held } = snapshot.value;
    const { service, completing, notation: _notation, ...chosen } = settings;
    return {
      url: location.href,
      ...held,
      settings: { ...chosen, completing: completing?.dataUrl === service.dataUrl ? completing : null },
      incidents: await invoke('incidents.list', { filter, offset: 0, limit: 1 }),
      runs: await invoke('runs.list', { text: '', cursor: null, limit: 1 }),
    };
  });
  return { shown, ...told };
}
