import fs, {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
    letterKeys: false,
    requestsOff: ['metrics', 'links'],
    proxy: 'http://proxy.example:3128',
    updates: 'notify',
    activityCheckMinutes: 15,
    savedViews: [{ id: 'v1', name: 'Failed', filter: { pills: [], text: 'failed', showHidden: true } }],
    paneWidths: { addresses: 300, nodes: null, questions: 180 },
    columnWidths: { counterparty: 200 },
    completing: { dataUrl: 'http://127.0.0.1:7650', filter: { pills: [], text: 'x', showHidden: false } },
    health: { keepDays: 30, keepMegabytesPerNode: 20, failAfter: 3, recoverAfter: 2 },
    whenClosed: 'keep',
    startAtLogin: true,
    alerts: {
      notifications: false,
      webhook: { shape: 'ntfy', origin: 'https://ntfy.example' },
      heartbeat: 'https://hc.example',
      metrics: { port: 9_750, hasToken: true },
      rules: { incident: 'wake', standstill: 'off', disk: 'off', peers: 'off', app: 'off' },
      addresses: [{ address: `0x${'a'.repeat(40)}`, sinceMs: 5, about: ['failed'] }],
      planned: [{ nodeId: 'n1', fromMs: 1, untilMs: 2 }],
      failAfter: 2,
      recoverAfter: 1,
      silentSeconds: 60,
      ofNodes: [{ nodeId: 'n1', failAfter: 5, recoverAfter: 1, silentSeconds: 60 }],
      pausedUntilMs: 1_700_000_000_000,
      quiet: { days: [1, 2], fromMinute: 0, toMinute: 60, wakePasses: false },
    },
  };

  const replacements: Settings = {
    ...defaultSettings,
    requestsOff: ['data', 'metrics', 'trial', 'network', 'links'],
    health: { ...defaultSettings.health, keepDays: 3_650, keepMegabytesPerNode: 10_000 },
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

  it('are written as a new file also in a terminal that is a snap, so that a full disk leaves the old one', () => {
    open().write(changed);
    vi.stubEnv('SNAP', '/snap/editor/1');
    const before = statSync(path).ino;
    const kept = join(profileDir, 'kept.json');
    linkSync(path, kept);
    open().write({ ...changed, theme: 'light' });
    vi.unstubAllEnvs();
    expect(statSync(path).ino).not.toBe(before);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(changed);
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
  ])(
    'in a file with %s are kept aside, said so, and replaced so that no history is deleted',
    (_what, content) => {
      writeFileSync(path, content);
      const store = open();
      const { settings, notice } = store.read();
      const aside = join(profileDir, 'settings.corrupt-2026-03-01T14-05-09Z.json');
      expect(settings).toEqual(replacements);
      expect(notice).toContain(`The settings in ${path} couldn’t be read`);
      expect(notice).toContain(`The file is kept as ${aside}. Now the defaults apply, but all`);
      expect(readFileSync(aside, 'utf8')).toBe(content);
      // The next start deletes none either.
      expect(open().read()).toEqual({ settings: replacements, notice: null });
      store.write(changed);
      expect(open().read()).toEqual({ settings: changed, notice: null });
    },
  );

  it('with a value that cannot be used lose that one alone, and say which', () => {
    const content = JSON.stringify({
      ...changed,
      theme: 'purple',
      requestsOff: ['metrics', 'telepathy', 'links'],
      savedViews: [{ id: 1 }, ...changed.savedViews, { id: 'v2', name: '' }],
      columnWidths: { counterparty: 200, time: 'wide', constructor: 'wide' },
      health: { ...changed.health, keepDays: -1 },
    });
    writeFileSync(path, content);
    const { settings, notice } = open().read();
    const right = { ...changed, theme: 'system', health: { ...changed.health, keepDays: 3_650 } };
    expect(settings).toEqual(right);
    for (const name of [
      'theme',
      'requestsOff 1',
      'savedViews 0',
      'savedViews 2',
      'columnWidths time',
      'columnWidths constructor',
      'health keepDays',
    ])
      expect(notice).toContain(`${name} (`);
    const aside = join(profileDir, 'settings.corrupt-2026-03-01T14-05-09Z.json');
    expect(notice).toContain(`The file is kept as ${aside}.`);
    expect(readFileSync(aside, 'utf8')).toBe(content);
    expect(open().read()).toEqual({ settings: right, notice: null });
  });

  it.each([['data'], null, { data: true }].map((value) => [JSON.stringify(value), value] as const))(
    'with switches of requests that are %s send nothing that could be switched off, unless it can be read',
    (_, requestsOff) => {
      writeFileSync(path, JSON.stringify({ ...changed, requestsOff }));
      const { settings, notice } = open().read();
      const isRead = Array.isArray(requestsOff);
      expect(settings).toEqual({ ...changed, requestsOff: isRead ? requestsOff : replacements.requestsOff });
      expect(notice).toEqual(
        isRead ? null : expect.stringMatching(/Now requests are off until you allow them/),
      );
    },
  );

  it.each([
    [
      'is wrong',
      'file:///etc/passwd',
      /: service \(dataUrl must be an http or https address[^;]*\)\. The file/,
    ],
    ['is missing', undefined, /: service \(dataUrl [^;]*\)\. The file/],
  ])(
    'take a service as a whole or not at all where a part %s, so that none asks another',
    (_, dataUrl, words) => {
      writeFileSync(path, JSON.stringify({ ...changed, service: { ...sampleServiceProfile, dataUrl } }));
      const { settings, notice } = open().read();
      expect(settings).toEqual({ ...changed, service: defaultSettings.service });
      expect(notice).toMatch(words);
    },
  );

  it('say nothing of what is missing within them', () => {
    writeFileSync(path, '{"health":{"keepDays":30},"paneWidths":{"nodes":200}}');
    const { settings, notice } = open().read();
    expect(notice).toBeNull();
    expect(settings.health).toEqual({ ...defaultSettings.health, keepDays: 30 });
    expect(settings.paneWidths).toEqual({ ...defaultSettings.paneWidths, nodes: 200 });
  });

  it('keep what only another version knows, and ignore it', () => {
    const others = { windowBounds: { width: 800 }, paneWidths: { ...changed.paneWidths, rules: 150 } };
    writeFileSync(path, JSON.stringify({ ...changed, ...others }));
    const store = open();
    expect(store.read()).toEqual({ settings: changed, notice: null });
    store.write({ ...changed, theme: 'light', columnWidths: {} });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      ...changed,
      ...others,
      theme: 'light',
      columnWidths: {},
    });
    expect(readdirSync(profileDir)).toEqual(['settings.json']);
  });

  describe('of each released version', () => {
    const released = join(import.meta.dirname, 'released');

    it('are kept for this test', () => {
      const changelog = readFileSync(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8');
      const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(
        ([, version]) => `${version}.json`,
      );
      expect(readdirSync(released)).toEqual(expect.arrayContaining(versions));
    });

    it.each(readdirSync(released))('are all in use, from a file of %s', (file) => {
      const content = readFileSync(join(released, file), 'utf8');
      writeFileSync(path, content);
      const { settings, notice } = open().read();
      expect(notice).toBeNull();
      // What no version after that knows.
      const { service, ...others } = JSON.parse(content) as Settings & {
        service: { crosschainSpelling?: string };
      };
      const { crosschainSpelling: _, ...known } = service;
      expect(settings).toMatchObject({ ...others, service: known });
    });
  });

  it.each(['EBUSY', 'EIO', 'EMFILE'])(
    'that cannot be read for a moment (%s) stay in the file, and are kept aside once others are saved',
    (code) => {
      const before = open();
      before.write(changed);
      const text = readFileSync(path, 'utf8');
      const refused = Object.assign(new Error(`${code}: read`), { code, syscall: 'read' });
      const spy = vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
        throw refused;
      });
      const store = open();
      const { settings, notice } = store.read();
      spy.mockRestore();
      expect(settings).toEqual(replacements);
      expect(notice).toContain('unchanged');
      expect(readdirSync(profileDir)).toEqual(['settings.json']);
      expect(readFileSync(path, 'utf8')).toBe(text);
      store.write({ ...settings, theme: 'light' });
      store.write({ ...settings, theme: 'dark' });
      const aside = readdirSync(profileDir).filter((file) => file.includes('corrupt'));
      expect(aside.map((file) => readFileSync(join(profileDir, file), 'utf8'))).toEqual([text]);
    },
  );

  it('keep each bad file under a name of its own', () => {
    for (const content of ['first', 'second']) {
      writeFileSync(path, content);
      open().read();
    }
    const aside = readdirSync(profileDir).filter((file) => file.includes('corrupt'));
    expect(aside.map((file) => readFileSync(join(profileDir, file), 'utf8'))).toEqual(['second', 'first']);
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
        message:
          'The settings couldn’t be saved, so nothing has changed. A file or folder with that name already exists.',
      });
    }
  });

  it('that were damaged stay where they are while nothing can be written, so that no start deletes history', () => {
    // electron-store writes a new file, of this name, and then gives it the name of the old one.
    vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    mkdirSync(`${path}.tmp-0000000000000000`);
    writeFileSync(path, '{"theme":"da');
    const store = open();
    for (const one of [store, open()]) {
      expect(one.read()).toEqual({
        settings: replacements,
        notice: expect.stringContaining('It couldn’t be set aside either'),
      });
    }
    expect(() => store.write(changed)).toThrow('couldn’t be saved');
    expect(readFileSync(path, 'utf8')).toBe('{"theme":"da');
    vi.restoreAllMocks();
    store.write(changed);
    expect(open().read()).toEqual({ settings: changed, notice: null });
  });

  it('are saved also when the file was damaged meanwhile, which is kept aside', () => {
    const store = open();
    store.write(changed);
    store.read();
    writeFileSync(path, '{"theme":"da');
    store.write({ ...changed, theme: 'light' });
    expect(open().read()).toEqual({ settings: { ...changed, theme: 'light' }, notice: null });
    const [aside = ''] = readdirSync(profileDir).filter((file) => file.includes('corrupt'));
    expect(readFileSync(join(profileDir, aside), 'utf8')).toBe('{"theme":"da');
  });
});
