import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleAnswerSchema } from '../src/shared/sample-data.ts';
import { openSampleData } from './sample-data.ts';

it('fills a fresh profile and serves what it names, on this computer only', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchkeeper-sample-data-'));
  const { ready, close } = await openSampleData(directory);
  try {
    expect(sampleAnswerSchema.parse(ready)).toEqual(ready);
    expect(existsSync(join(directory, 'store.sqlite'))).toBe(true);
    const { dataUrl, metricsUrl, keyHeader } = ready.service;
    for (const url of [dataUrl, metricsUrl]) expect(new URL(url).hostname).toBe('127.0.0.1');
    const [watched] = ready.addresses;
    const answer = await fetch(`${dataUrl}/v1/address/${watched?.address ?? ''}/chains`, {
      headers: { [keyHeader]: ready.apiKey },
    });
    expect(await answer.json()).toMatchObject({ indexedChains: [{}, {}, {}] });
  } finally {
    await close();
    await rm(directory, { recursive: true });
  }
});
