import { describe, expect, it } from 'vitest';
import {
  avalancheService,
  sampleServiceProfile,
  specificationKeyHeader,
} from '../../../../shared/settings.ts';
import { cleanProfile, profileOf, serviceProblems } from './service-form.ts';

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
      crosschainSpelling: 'specification',
    });
  });

  it('cleans what was typed', () => {
    expect(
      cleanProfile({
        preset: 'custom',
        dataUrl: ' https://a.example/// ',
        metricsUrl: 'https://b.example',
        keyHeader: ' X-Key ',
        crosschainSpelling: 'public-service',
      }),
    ).toEqual({
      preset: 'custom',
      dataUrl: 'https://a.example',
      metricsUrl: 'https://b.example',
      keyHeader: 'x-key',
      crosschainSpelling: 'public-service',
    });
  });

  it('says what is wrong with each field', () => {
    const problems = serviceProblems({
      preset: 'custom',
      dataUrl: 'ftp://a.example',
      metricsUrl: '',
      keyHeader: 'two words',
      crosschainSpelling: 'specification',
    });
    expect(problems.dataUrl).toContain('http:// or https://');
    expect(problems.metricsUrl).toBe('This is needed.');
    expect(problems.keyHeader).toContain('no spaces');
    expect(serviceProblems(avalancheService)).toEqual({});
  });
});
