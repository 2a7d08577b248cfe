import { describe, expect, it } from 'vitest';
import { readStoredChains } from '../activity/stored.ts';
import { addressChains, addressTransactions } from './data.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { EndpointDefinition } from './define.ts';
import { endpoints, type EndpointId } from './registry.ts';
import { sampleBodies } from './testing/sample-bodies.ts';

const all: EndpointDefinition[] = Object.values(endpoints);

describe('lists of ids', () => {
  function chains(body: unknown) {
    const decoded = decodeAnswer(addressChains, JSON.stringify(body));
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { indexedChains = [], unindexedChains } = decoded.value.data;
    return { indexed: indexedChains.map(({ chainId, chainName }) => [chainId, chainName]), unindexedChains };
  }

  it('have each chain once, the first one counting, and a chain that is indexed is not also one that is not', () => {
    expect(
      chains({
        indexedChains: [
          { chainId: '1', chainName: 'first' },
          { chainId: '2', chainName: 'two' },
          { chainId: 1, chainName: 'second' },
          { chainId: '1' },
        ],
        unindexedChains: ['7', '8', '7', '2', '1', ' ', ''],
      }),
    ).toEqual({
      indexed: [
        ['1', 'first'],
        ['2', 'two'],
      ],
      unindexedChains: ['7', '8'],
    });
  });

  it('stay absent where they are absent', () => {
    expect(chains({})).toEqual({ indexed: [], unindexedChains: undefined });
    expect(chains({ unindexedChains: ['1', '1'] })).toEqual({ indexed: [], unindexedChains: ['1'] });
  });

  it('are sets also where the store holds them from before', () => {
    const stored = JSON.stringify([{ chainId: '1', chainName: 'A' }, { chainId: '2' }, { chainId: '1' }]);
    expect(readStoredChains(stored)?.map(({ chainId }) => chainId)).toEqual(['1', '2']);
  });

  it.each(all)('$number $id: no text of a list of texts comes twice', (endpoint) => {
    const body = structuredClone(sampleBodies[endpoint.id as EndpointId]) as unknown;
    visit(body, (value) => {
      if (isTexts(value)) value.push(...value);
    });
    const decoded = decodeAnswer(endpoint, JSON.stringify(body));
    expect(decoded).toMatchObject({ ok: true, value: { notes: [] } });
    if (!decoded.ok) return;
    visit(decoded.value.data, (value) => {
      if (isTexts(value)) expect(value).toHaveLength(new Set(value).size);
    });
  });
});

describe('an optional text', () => {
  it.each(['', ' ', '\n\t\u00a0'])('of nothing but blanks (%j) is absent', (blank) => {
    const body = {
      transactions: [
        {
          nativeTransaction: {
            txHash: '0x1',
            blockNumber: '1',
            blockTimestamp: 1,
            chainId: blank,
            from: { address: '0x2', name: blank, symbol: 'S' },
            method: { callType: 'CONTRACT_CALL', methodHash: blank },
          },
        },
      ],
    };
    const decoded = decodeAnswer(addressTransactions, JSON.stringify(body));
    expect(decoded).toMatchObject({ ok: true, value: { notes: [] } });
    if (!decoded.ok) return;
    const { transactions } = decoded.value.data;
    const native = transactions[0]?.nativeTransaction;
    expect([native?.from?.name, native?.method?.methodHash, native?.chainId]).toEqual(
      Array.from({ length: 3 }, () => undefined),
    );
    expect(native?.from?.symbol).toBe('S');
  });

  it.each(all)('$number $id: none is read as a text of blanks', (endpoint) => {
    const body = structuredClone(sampleBodies[endpoint.id as EndpointId]) as unknown;
    for (const [container, key] of textsOf(body)) {
      const was = container[key];
      container[key] = ' ';
      const decoded = decodeAnswer(endpoint, JSON.stringify(body));
      container[key] = was;
      if (!decoded.ok) continue;
      visit(decoded.value.data, (value) => {
        expect(Object.entries(Object(value) as object)).not.toContainEqual([key, ' ']);
      });
    }
  });
});

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function visit(value: unknown, tell: (value: unknown) => void): void {
  tell(value);
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) visit(inner, tell);
}

/** Each text that is a value of an object, by where it stands. */
function textsOf(body: unknown): [container: Record<string, unknown>, key: string][] {
  const found: [Record<string, unknown>, string][] = [];
  visit(body, (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      // An object that is no list, as was just asked.
      if (typeof inner === 'string') found.push([value as Record<string, unknown>, key]);
    }
  });
  return found;
}
