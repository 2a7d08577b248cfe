import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cb58 } from '../../sample-service/world/identifiers.ts';
import { readId } from '../main/adapters/storage/health/history/block-ids.ts';
import { isId } from './base58.ts';
import { checkName, piecesOf, withChainNames } from './health/names.ts';
import { chainOf } from './health/scope.ts';

/** Bytes of an id, also of one that begins with zeros. */
const bytes = (length: number) =>
  fc
    .tuple(fc.nat(length), fc.uint8Array({ minLength: length, maxLength: length }))
    .map(([zeros, all]) => all.map((byte, at) => (at < zeros ? 0 : byte)));

it('an id of 32 bytes is one for all that read ids, however many letters it has', () => {
  fc.assert(
    fc.property(bytes(32), (raw) => {
      const id = cb58(raw);
      expect(isId(id)).toBe(true);
      expect(chainOf(id, null)).toBe(id);
      expect(checkName(id)).toBe(id);
      expect(withChainNames(`of ${id}.`, new Map([[id, 'Dexalot']]))).toBe(`of Dexalot · ${id}.`);
      expect(readId(id)).toEqual(Buffer.from(raw));
    }),
  );
});

it('an id of a node is found in a text, however many letters it has', () => {
  fc.assert(
    fc.property(bytes(20), (raw) => {
      const id = `NodeID-${cb58(raw)}`;
      expect(piecesOf(`lost ${id}, again`).map(({ text }) => text)).toEqual(['lost ', id, ', again']);
    }),
  );
});
