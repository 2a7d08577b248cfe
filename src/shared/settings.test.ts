import { describe, expect, it, vi } from 'vitest';
import { defaultSettings, parseServiceUrl, sampleServiceProfile, settingsSchema } from './settings.ts';

describe('parseServiceUrl', () => {
  it.each([
    ['https://data-api.example', 'https://data-api.example', 'https://data-api.example'],
    ['https://data-api.example/', 'https://data-api.example', 'https://data-api.example'],
    ['HTTP://127.0.0.1:7650//', 'http://127.0.0.1:7650', 'http://127.0.0.1:7650'],
    ['http://[::1]:9650/prefix/', 'http://[::1]:9650', 'http://[::1]:9650/prefix'],
  ])('reads %s', (text, origin, href) => {
    expect(parseServiceUrl(text)).toEqual({ origin, href });
  });

  it.each([
    '',
    'data-api.example',
    'ftp://x.example',
    'file:///etc/passwd',
    'http://user@x.example',
    'http://user:secret@x.example',
    'http://x.example/?a=1',
    'http://x.example/#a',
    'http://x.example/?',
    'http://x.example/#',
  ])('refuses %j', (text) => {
    expect(parseServiceUrl(text)).toBeNull();
  });

  it('refuses a blank in a host as the main process does, though the window reads it', () => {
    const readInWindow = { protocol: 'http:', username: '', password: '', origin: 'http://a%20b:9650' };
    const inWindow = function () {
      return { ...readInWindow, href: 'http://a%20b:9650/' };
    };
    vi.stubGlobal('URL', Object.assign(inWindow, { canParse: () => true }));
    expect(parseServiceUrl('http://a b:9650')).toBeNull();
    vi.unstubAllGlobals();
  });
});

describe('settingsSchema', () => {
  it('accepts the defaults and the presets', () => {
    expect(settingsSchema.safeParse(defaultSettings).success).toBe(true);
    expect(settingsSchema.safeParse({ ...defaultSettings, service: sampleServiceProfile }).success).toBe(
      true,
    );
  });

  it.each([
    { time: 10 },
    { time: 100.5 },
    { '': 100 },
    { ['a'.repeat(201)]: 100 },
    Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`column ${index}`, 100])),
  ])('refuses widths of columns like %j', (columnWidths) => {
    expect(settingsSchema.safeParse({ ...defaultSettings, columnWidths }).success).toBe(false);
    const fine = {
      ...defaultSettings,
      columnWidths: { 'chain-address': 100, 'transaction from.address': 90 },
    };
    expect(settingsSchema.safeParse(fine).success).toBe(true);
  });

  it.each([
    { other: 1 },
    { keyHeader: 'X-Key' },
    { keyHeader: 'x key' },
    { keyHeader: 'x:\r\nhost' },
    { dataUrl: 'ftp://x' },
  ])('refuses a service with %j', (odd) => {
    const service = { ...sampleServiceProfile, ...odd };
    expect(settingsSchema.safeParse({ ...defaultSettings, service }).success).toBe(false);
  });
});
