import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeMessage, explaining } from './message.ts';
import type { Json } from '../json.ts';

const texts = (message: Json): Record<string, string> =>
  Object.fromEntries(describeMessage(message).values.map(({ path, text }) => [path, text]));

describe('describeMessage', () => {
  it('reads the messages of the specification, with units', () => {
    const { values, complete } = describeMessage({
      engine: {
        consensus: {
          lastAcceptedHeight: 44_123_456,
          lastAcceptedID: '2JeJDKL5Bvn1vQ',
          longestProcessingBlock: '54m47.7s',
          processingBlocks: 12,
        },
        vm: null,
      },
      networking: { percentConnected: 0.98765, disconnectedValidators: ['NodeID-a', 'NodeID-b'] },
    });
    expect(complete).toBe(true);
    expect(values).toEqual([
      {
        path: 'engine.consensus.lastAcceptedHeight',
        label: 'last accepted height',
        text: '44,123,456',
        kind: 'height',
      },
      {
        path: 'engine.consensus.lastAcceptedID',
        label: 'last accepted ID',
        text: '2JeJDKL5Bvn1vQ',
        kind: 'plain',
      },
      {
        path: 'engine.consensus.longestProcessingBlock',
        label: 'longest processing block',
        text: '54 min 47.7 s',
        kind: 'duration',
      },
      { path: 'engine.consensus.processingBlocks', label: 'processing blocks', text: '12', kind: 'plain' },
      { path: 'engine.vm', label: 'vm', text: 'null', kind: 'plain' },
      { path: 'networking.percentConnected', label: 'connected', text: '98.77%', kind: 'percent' },
      {
        path: 'networking.disconnectedValidators',
        label: 'disconnected validators',
        text: 'NodeID-a, NodeID-b',
        kind: 'plain',
      },
    ]);
  });

  it.each<[string, Json, string]>([
    ['availableDiskBytes', 0, '0 B'],
    ['availableDiskBytes', 1_023, '1023 B'],
    ['availableDiskBytes', 1_024, '1.0 KiB'],
    ['availableDiskBytes', 1_099_511_627_775, '1,023.9 GiB'],
    ['availableDiskBytes', '18446744073709551615', '15.9 EiB'],
    ['availableDiskBytes', -1, '-1'],
    ['availableDiskBytes', 1.5, '1.5'],
    ['availableDiskBytes', 'plenty', 'plenty'],
    ['availableDiskPercentage', 47, '47%'],
    ['availableDiskPercentage', 101, '101'],
    ['percentConnected', 1, '100%'],
    ['percentConnected', 0, '0%'],
    ['percentConnected', 0.999_999, '> 99.99%'],
    ['percentConnected', 0.000_001, '< 0.01%'],
    ['percentConnected', '0.98765432109876543210', '98.77%'],
    ['percentConnected', 45, '45'],
    ['percent', 0.5, '0.5'],
    ['sendFailRate', 0.25, '25%'],
    ['gasRate', 0.25, '0.25'],
    [
      'height',
      '340282366920938463463374607431768211456',
      '340,282,366,920,938,463,463,374,607,431,768,211,456',
    ],
    ['timeSinceLastMsgReceived', '0s', '0 s'],
    ['count', '0', '0'],
    ['count', '-0', '-0'],
    ['ok', true, 'true'],
    ['list', [], 'none'],
    ['list', [1, null, true], '1, null, true'],
    ['object', {}, 'empty'],
    ['name', 'a\u0007b', 'a\uFFFDb'],
  ])('%s: %j', (key, value, text) => {
    expect(texts({ [key]: value })).toEqual({ [key]: text });
  });

  it('takes a message of any shape', () => {
    expect(describeMessage(null)).toEqual({ values: [], complete: true });
    expect(describeMessage('BLS key is right').values).toEqual([
      { path: '', label: '', text: 'BLS key is right', kind: 'plain' },
    ]);
    expect(texts([{ a: 1 }, { a: 2 }])).toEqual({ '1.a': '1', '2.a': '2' });
    expect(texts({ 'time since last': '1s', yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp: 1 })).toEqual({
      'time since last': '1 s',
      yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp: '1',
    });
    expect(
      describeMessage({ bytes: 5, Rate_of_X: 1, 'a\u202Eb': 1 }).values.map(({ label }) => label),
    ).toEqual(['bytes', 'Rate_of_X', 'a\uFFFDb']);
  });

  it('says when it left something out', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as Json;
    expect(describeMessage(deep)).toEqual({
      values: [{ path: 'a.a.a.a.a.a.a.a', label: 'a', text: '1 entry', kind: 'plain' }],
      complete: false,
    });
    const wide = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, index]));
    expect(describeMessage(wide)).toMatchObject({ complete: false, values: { length: 200 } });
    delete wide['k200'];
    expect(describeMessage(wide)).toMatchObject({ complete: true, values: { length: 200 } });
    expect(describeMessage(Array.from({ length: 12 }, (_, index) => index))).toMatchObject({
      values: [{ text: '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more' }],
      complete: false,
    });
    expect(describeMessage('x'.repeat(1_000))).toMatchObject({
      values: [{ text: `${'x'.repeat(399)}…` }],
      complete: false,
    });
  });

  it('takes every JSON value and stays small', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
        const { values } = describeMessage(value as Json);
        expect(values.length).toBeLessThanOrEqual(200);
        for (const { text } of values) expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});

describe('explaining', () => {
  it('puts first what the error is about, and leaves out what says nothing', () => {
    const message = {
      engine: {
        consensus: {
          lastAcceptedHeight: 71,
          lastAcceptedID: 'an-id',
          longestProcessingBlock: '0s',
          processingBlocks: 0,
        },
        vm: null,
      },
      networking: { percentConnected: 0.6, disconnectedValidators: ['NodeID-a', 'NodeID-b'] },
    };
    const { values } = describeMessage(message);
    const error = 'not connected to enough stake: connected to 60% required at least 80%';
    const found = explaining(values, error).map(({ path }) => path);
    expect(found[0]).toBe('networking.percentConnected');
    expect(found[1]).toBe('networking.disconnectedValidators');
    expect(found).not.toContain('engine.vm');
    expect(explaining(values, null)[0]?.path).toBe('engine.consensus.lastAcceptedHeight');
  });
});
