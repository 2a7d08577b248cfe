import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { avalancheService, defaultSettings, type Settings } from '../../../shared/settings.ts';
import { loadOrClose, ServiceChange } from './service-change.ts';
import { SettingsService } from './settings-service.ts';

const before = avalancheService.dataUrl;
const serviceAt = (dataUrl: string) => ({ ...avalancheService, preset: 'custom' as const, dataUrl });
const broken = 'https://broken.example';
const whole = 'https://whole.example';

interface Options {
  cannotOpen?: string[];
  whileOpening?: (dataUrl: string) => void;
  whileClosing?: () => void;
  write?: (settings: Settings) => void;
}

/** The settings and the stores of services; opening one of `cannotOpen` fails. */
function setUp(options: Options = {}) {
  const steps: string[] = [];
  const cannotOpen = new Set(options.cannotOpen ?? []);
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (event: string) => {
      steps.push(`log ${event}`);
      return 'ref-1';
    },
  };
  const write = options.write ?? (() => undefined);
  const settings = new SettingsService(
    { read: () => ({ settings: defaultSettings, notice: null }), write },
    log,
  );
  let openUrl: string | null = before;
  const change = new ServiceChange({
    settings,
    log,
    close: async () => {
      steps.push(`close ${openUrl}`);
      openUrl = null;
      options.whileClosing?.();
    },
    open: async () => {
      const { dataUrl } = settings.current().service;
      steps.push(`open ${dataUrl}`);
      options.whileOpening?.(dataUrl);
      if (cannotOpen.has(dataUrl)) throw new AppFailure({ code: 'storage', message: 'No such table.' });
      openUrl = dataUrl;
    },
    changed: () => void steps.push(`show ${openUrl}`),
  });
  settings.onChange(({ settings: now, previous }) => {
    if (now.service.dataUrl !== previous.service.dataUrl) change.from(previous.service);
  });
  const set = (dataUrl: string) => settings.update({ service: serviceAt(dataUrl) });
  return { change, settings, set, steps, cannotOpen };
}

describe('ServiceChange', () => {
  it('closes the store of one service before it opens that of the other', async () => {
    const { change, set, steps } = setUp();
    set(whole);
    await change.settled();
    expect(steps).toEqual([`close ${before}`, `open ${whole}`, `show ${whole}`]);
    expect(change.status).toEqual({ state: 'ready', notKept: false, notices: [] });
  });

  it('ends after a change under way, also where the store cannot be closed', async () => {
    const { change, set, steps } = setUp({
      whileClosing: () => {
        throw new AppFailure({ code: 'storage', message: 'The local store has stopped.' });
      },
    });
    set(whole);
    await change.end();
    const failed = 'log service.close-failed';
    expect(steps).toEqual([
      `close ${before}`,
      failed,
      `open ${whole}`,
      `show ${whole}`,
      `close ${whole}`,
      failed,
    ]);
  });

  it.each([
    ['can be opened', [broken], whole],
    ['cannot be opened either', [broken, whole], before],
  ])(
    'opens what was chosen while another one failed to open, which %s',
    async (_what, cannotOpen, opened) => {
      const { change, settings, set, steps } = setUp({
        cannotOpen,
        whileOpening: (dataUrl) => {
          if (dataUrl === broken) set(whole);
        },
      });
      set(broken);
      await change.settled();
      // The second came during the first.
      await change.settled();
      expect(steps.at(-1)).toBe(`show ${opened}`);
      expect(settings.current().service.dataUrl).toBe(opened);
      expect(change.status.state).toBe('ready');
    },
  );

  it('sets the service before again when the other one cannot be opened, and says why until a change succeeds', async () => {
    const { change, settings, set, steps } = setUp({ cannotOpen: [broken] });
    set(broken);
    await change.settled();
    expect(steps).toEqual([
      `close ${before}`,
      `open ${broken}`,
      'log service.open-failed',
      `open ${before}`,
      `show ${before}`,
    ]);
    expect(settings.current().service).toEqual(avalancheService);
    expect(change.status).toEqual({
      state: 'ready',
      notKept: false,
      notices: [
        `The app couldn’t open the data stored for ${broken}: No such table. The service wasn’t changed: ${before} is still in use.`,
      ],
    });
    set(whole);
    await change.settled();
    expect(change.status).toEqual({ state: 'ready', notKept: false, notices: [] });
    // The one before is now that one.
    set(broken);
    await change.settled();
    expect(settings.current().service.dataUrl).toBe(whole);
  });

  it('says that nothing works when the service before cannot be opened again either', async () => {
    const { change, set, steps } = setUp({ cannotOpen: [broken, before] });
    set(broken);
    await change.settled();
    expect(steps.at(-1)).toBe('show null');
    expect(change.status.state).toBe('failed');
    expect(change.status.notices).toHaveLength(2);
    expect(change.status.notices[1]).toContain('Start the app again.');
  });

  it('says so too when the settings cannot be set back', async () => {
    let writes = 0;
    const { change, set, settings } = setUp({
      cannotOpen: [broken],
      write: () => {
        writes += 1;
        if (writes > 1) throw new Error('ENOSPC');
      },
    });
    set(broken);
    await change.settled();
    expect(settings.current().service.dataUrl).toBe(broken);
    expect(change.status.state).toBe('failed');
    expect(change.status.notices[1]).toContain('The settings couldn’t be saved.');
    // The next change is not taken for the way back.
    writes = -10;
    set(whole);
    await change.settled();
    expect(change.status.state).toBe('ready');
  });

  it('opens the other service even though the store of the one before did not close in order', async () => {
    const steps: string[] = [];
    const { settings } = setUp();
    const change = new ServiceChange({
      settings,
      log: { info: () => undefined, warn: () => undefined, error: () => 'ref-1' },
      close: () => Promise.reject(new Error('checkpoint')),
      open: async () => void steps.push('open'),
      changed: () => void steps.push('show'),
    });
    change.from(avalancheService);
    await change.settled();
    expect(steps).toEqual(['open', 'show']);
  });

  it('makes changes that follow each other at once one after the other, and ends at the last', async () => {
    const { change, settings, set, steps } = setUp({ cannotOpen: [] });
    set(broken);
    set(whole);
    await change.settled();
    expect(settings.current().service.dataUrl).toBe(whole);
    expect(steps).toEqual([
      `close ${before}`,
      `open ${whole}`,
      `show ${whole}`,
      `close ${whole}`,
      `open ${whole}`,
      `show ${whole}`,
    ]);
  });
});

describe('loadOrClose', () => {
  it('loads in order, and leaves the store open', async () => {
    const steps: string[] = [];
    const part = (name: string) => ({ load: async () => void steps.push(name) });
    await loadOrClose({ close: async () => void steps.push('close') }, [part('a'), part('b')]);
    expect(steps).toEqual(['a', 'b']);
  });

  it('closes the store when a part cannot be loaded, and passes the reason on', async () => {
    const steps: string[] = [];
    const failing = { load: () => Promise.reject(new Error('no such table')) };
    const never = { load: async () => void steps.push('loaded') };
    await expect(
      loadOrClose({ close: async () => void steps.push('close') }, [failing, never]),
    ).rejects.toThrow('no such table');
    expect(steps).toEqual(['close']);
  });
});
