import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultSettings, sampleServiceProfile, type Settings } from '../../../shared/settings.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { openSettingsStore } from './settings-store.ts';

// electron-store asks the package `electron` where the app keeps its files, and that looks for the runtime.
vi.hoisted(() => {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = '/nowhere';
});

describe('the settings', () => {
  let profileDir: string;
  let path: string;
  const clock = { nowMs: () => Date.UTC(2026, 2, 1, 14, 5, 9), monotonicMs: () => 0 };
  const open = () => openSettingsStore(profileDir, clock);
  const changed: Settings = {
    service: sampleServiceProfile,
    theme: 'dark',
    timeZone: 'utc',
    notation: 'iso',
    privacy: true,
    requestsOff: ['metrics', 'links'],
    updates: 'notify',
    activityCheckMinutes: 15,
    savedViews: [{ id: 'v1', name: 'Failed', filter: { pills: [], text: 'failed', showHidden: true } }],
    paneWidths: { addresses: 300, nodes: null, questions: 180 },
    columnWidths: { counterparty: 200 },
    pagesAtOnce: 200,
    completing: { dataUrl: 'http://127.0.0.1:7650', filter: { pills: [], text: 'x', showHidden: false } },
    health: { keepDays: 30, keepMegabytesPerNode: 20, failAfter: 3, recoverAfter: 2 },
  };

  beforeEach(() => {
    profileDir = mkdtempSync(join(tmpdir(), 'watchkeeper-settings-'));
    path = join(profileDir, 'settings.json');
  });

  afterEach(() => rmSync(profileDir, { recursive: true }));

  it('are the defaults at first, and nothing is written for that', () => {
    expect(open().read()).toEqual({ settings: defaultSettings, notice: null });
    expect(readdirSync(profileDir)).toEqual([]);
  });

  it('are kept over a restart', () => {
    open().write(changed);
    expect(open().read()).toEqual({ settings: changed, notice: null });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(changed);
  });

  it('are seen at once by whoever has them open', () => {
    const first = open();
    first.read();
    open().write(changed);
    expect(first.read().settings).toEqual(changed);
  });

  it('that an older app did not know are the defaults', () => {
    writeFileSync(path, JSON.stringify({ theme: 'dark' }));
    expect(open().read()).toEqual({ settings: { ...defaultSettings, theme: 'dark' }, notice: null });
  });

  it.each([
    ['nothing', ''],
    ['cut JSON', '{"theme":"da'],
    ['noise', '\u0000\u0001\ufffd'],
    ['another kind of JSON', '[]'],
    ['a number', '5'],
    ['null', 'null'],
    ['an unknown value', '{"theme":"purple"}'],
    ['an address that may not be used', '{"service":{"preset":"custom","dataUrl":"file:///etc/passwd"}}'],
    ['settings of something else', '{"windowBounds":{"width":800}}'],
  ])('in a file with %s are kept aside, said so, and replaced by the defaults', (_what, content) => {
    writeFileSync(path, content);
    const store = open();
    const { settings, notice } = store.read();
    const aside = join(profileDir, 'settings.corrupt-2026-03-01T14-05-09Z.json');
    expect(settings).toEqual(defaultSettings);
    expect(notice).toContain(`The settings in ${path} could not be read`);
    expect(notice).toContain(`The file is kept as ${aside}. The defaults apply.`);
    expect(readFileSync(aside, 'utf8')).toBe(content);
    expect(store.read()).toEqual({ settings: defaultSettings, notice: null });
    store.write(changed);
    expect(open().read()).toEqual({ settings: changed, notice: null });
  });

  it('say which of them is wrong', () => {
    writeFileSync(
      path,
      '{"service":{"preset":"custom","dataUrl":"x","metricsUrl":"http://a","keyHeader":"k"}}',
    );
    expect(open().read().notice).toMatch(/\(service dataUrl must be an http or https address/);
  });

  it('keep each bad file under a name of its own', () => {
    for (const content of ['first', 'second']) {
      writeFileSync(path, content);
      open().read();
    }
    expect(readdirSync(profileDir).map((file) => readFileSync(join(profileDir, file), 'utf8'))).toEqual([
      'second',
      'first',
    ]);
  });

  it('that cannot be saved are a clear error', () => {
    mkdirSync(path);
    try {
      open().write(changed);
      expect.unreachable();
    } catch (cause) {
      expect(cause).toBeInstanceOf(AppFailure);
      expect((cause as AppFailure).error).toMatchObject({
        code: 'storage',
        message: expect.stringMatching(/saved/),
      });
    }
  });
});
