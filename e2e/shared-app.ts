import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { serviceFolder } from '../src/main/adapters/storage/opening/service-folder.ts';
import { defaultSettings, sampleServiceProfile } from '../src/shared/settings.ts';
import { isTraced, type Profile, type RunningApp } from './running-app.ts';
import type { SampleService } from './sample-service.ts';

/** An address where nothing answers; no requests go there while nothing is watched. */
const noService = 'http://127.0.0.1:1/no-service-';

/**
 * One run of the app for all tests that do not need their own start, which would take longer than many a test. The effects
 * of a test are undone by the app's own means: another service has its own store, and the window
 * starts over with it.
 */
export class SharedApp {
  readonly #profile: Profile;
  readonly #running: RunningApp;
  /** The state of a new app, without its service. */
  readonly #asNew: unknown;
  #handedOver = 0;

  private constructor(profile: Profile, running: RunningApp, asNew: unknown) {
    this.#profile = profile;
    this.#running = running;
    this.#asNew = asNew;
  }

  /** In a fresh profile. */
  static async start(profile: Profile): Promise<SharedApp> {
    const running = await profile.launch();
    await running.rememberSystem();
    await welcome(running);
    await expect.poll(() => keychainOf(running)).not.toBe('unknown');
    return new SharedApp(profile, running, await stateOf(running));
  }

  /**
   * Makes the app as new, with data from this service or none. Fails when something of the last test is left after this
   * many milliseconds, in which the app can finish its work.
   */
  async handOver(service: SampleService | null, patienceMs = 60_000): Promise<RunningApp> {
    const { page } = this.#running;
    this.#handedOver += 1;
    const nowhere = `${noService}${this.#handedOver}`;
    const { dataUrl, metricsUrl } = service?.ready ?? { dataUrl: nowhere, metricsUrl: nowhere };
    // `completing` belongs to one service, so it is not reset with the settings.
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
    // The window starts over once the other service's store is open.
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

  /** To be called while the nodes of the test still answer, because a node that does not becomes an incident. */
  async takeBack(): Promise<void> {
    if (isTraced) await this.#running.page.context().tracing.stopChunk();
    await this.#running.page.evaluate(async () => {
      const { invoke } = window.watchkeeper;
      const snapshot = await invoke('app.snapshot', undefined);
      if (!snapshot.ok) throw new Error(snapshot.error.message);
      const filter = { text: '', states: [], asked: null, fromMs: null, beforeMs: null };
      const past = await invoke('runs.list', { filter, offset: 0, limit: 200 });
      if (!past.ok) throw new Error(past.error.message);
      const removed = [
        ...past.value.runs.map((run) => invoke('runs.remove', { runId: run.id })),
        ...snapshot.value.nodes.map(({ node }) => invoke('nodes.remove', { id: node.id })),
        ...snapshot.value.recordings.map(({ id }) => invoke('recordings.close', { id })),
      ];
      for (const one of await Promise.all(removed)) {
        if (!one.ok) throw new Error(one.error.message);
        await invoke('removals.settle', { undoId: one.value.undoId, putBack: false });
      }
    });
  }

  /** A later service may get the port of an earlier one, and must not get its store. */
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

/** All state that the app reports, except its service, the connection, and the requests since the start. */
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
    const {
      connection: _connection,
      budget: _budget,
      outbound: _outbound,
      settings,
      ...held
    } = snapshot.value;
    const { service, completing, notation: _notation, ...chosen } = settings;
    return {
      url: location.href,
      ...held,
      settings: { ...chosen, completing: completing?.dataUrl === service.dataUrl ? completing : null },
      incidents: await invoke('incidents.list', { filter, offset: 0, limit: 1 }),
      runs: await invoke('runs.list', {
        filter: { text: '', states: [], asked: null, fromMs: null, beforeMs: null },
        offset: 0,
        limit: 1,
      }),
    };
  });
  return { shown, ...told };
}
