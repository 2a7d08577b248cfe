import { describe, expect, it } from 'vitest';
import {
  avalancheService,
  sampleServiceProfile,
  specificationKeyHeader,
} from '../../../../shared/settings.ts';
import { cleanProfile, openLines, profileOf, serviceProblems } from './service-form.ts';

describe('the service form', () => {
  it('takes a preset’s own values, and what is in use where that preset is in use', () => {
    const moved = { ...sampleServiceProfile, dataUrl: 'http://127.0.0.1:40123' };
    expect(profileOf('sample', moved)).toBe(moved);
    expect(profileOf('avalanche', moved)).toBe(avalancheService);
    expect(profileOf('custom', moved)).toEqual({
      preset: 'custom',
      dataUrl: '',
      metricsUrl: '',
      keyHeader: specificationKeyHeader,
    });
  });

  it('cleans what was typed', () => {
    expect(
      cleanProfile(
        {
          preset: 'custom',
          dataUrl: ' https://a.example/// ',
          metricsUrl: 'https://b.example',
          keyHeader: ' X-Key ',
        },
        avalancheService,
      ),
    ).toEqual({
      preset: 'custom',
      dataUrl: 'https://a.example',
      metricsUrl: 'https://b.example',
      keyHeader: 'x-key',
    });
  });

  it('knows a service in each spelling of its URL, since each service has a store of its own', () => {
    const stored = {
      ...sampleServiceProfile,
      preset: 'custom',
      dataUrl: 'https://chain.example/v1',
    } as const;
    for (const dataUrl of [
      'HTTPS://Chain.Example/v1',
      'https://chain.example:443/v1/',
      ' https:chain.example/v1',
    ])
      expect(cleanProfile({ ...stored, dataUrl }, avalancheService)).toEqual(stored);
    // Under the spelling that it is stored with.
    const earlier = { ...stored, dataUrl: 'https://Chain.Example/v1' };
    expect(cleanProfile(earlier, earlier)).toEqual(earlier);
    expect(cleanProfile(stored, earlier)).toEqual(earlier);
  });

  it('says what is wrong with each field', () => {
    const problems = serviceProblems({
      preset: 'custom',
      dataUrl: 'ftp://a.example',
      metricsUrl: '',
      keyHeader: 'two words',
    });
    expect(problems.dataUrl).toContain('http:// or https:// URL that has no spaces');
    expect(problems.metricsUrl).toBe('Required.');
    expect(problems.keyHeader).toContain('no spaces');
    expect(serviceProblems(avalancheService)).toEqual({});
  });

  it.each([
    ['https://chain.example', false],
    ['http://chain.example', true],
    ['HTTP://Chain.Example:80/path', true],
    ['http://192.168.1.5:8080', true],
    ['http://0.0.0.0:8080', true],
    ['http://localhost.example', true],
    ['http://127.0.0.1.example', true],
    ['http://[::2]:8080', true],
    ['http://127.0.0.1:7650', false],
    ['http://127.1', false],
    ['http://0x7f.0.0.1', false],
    ['http://localhost:7650', false],
    ['http://LOCALHOST', false],
    ['http://localhost.', true],
    ['http://api.localhost', true],
    ['http://[::1]:7650', false],
    ['http://[::ffff:127.0.0.1]', false],
    ['http://[::ffff:10.0.0.1]', true],
    ['http://', false],
    ['ftp://chain.example', false],
    ['', false],
  ])('knows of %s whether the key would travel unencrypted: %s', (url, isOpen) => {
    expect(openLines({ dataUrl: url, metricsUrl: 'https://metrics.example' })).toHaveLength(isOpen ? 1 : 0);
    expect(openLines({ dataUrl: 'https://chain.example', metricsUrl: url })).toHaveLength(isOpen ? 1 : 0);
  });

  it('names each unencrypted address once', () => {
    expect(openLines({ dataUrl: 'http://a.example/data', metricsUrl: 'http://a.example/metrics' })).toEqual([
      'http://a.example',
    ]);
    expect(openLines({ dataUrl: 'http://a.example', metricsUrl: 'http://b.example:81' })).toEqual([
      'http://a.example',
      'http://b.example:81',
    ]);
  });
});
