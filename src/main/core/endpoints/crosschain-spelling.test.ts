import { describe, expect, it } from 'vitest';
import { addressTransactions } from '../../../shared/endpoints/data/address-transactions.ts';
import { transaction } from '../../../shared/endpoints/data/transaction.ts';
import { sampleBodies } from '../../../shared/endpoints/testing/sample-bodies.ts';
import { noteOtherSpelling } from './crosschain-spelling.ts';
import { decodeAtOnce } from './service-client.ts';

const { crosschainMessageInfo: _, ...plain } = sampleBodies.transaction;
const info = { direction: 'SOURCE_TRANSACTION', destinationChainId: '1' };

const neutral = { crosschainMessageInfo: { ...info, crosschainMessageId: '0x1' } };
const own = { teleporterMessageInfo: { ...info, teleporterMessageId: '0x1' } };
const ownId = { crosschainMessageInfo: { ...info, teleporterMessageId: '0x1' } };
const both = {
  crosschainMessageInfo: { ...info, crosschainMessageId: '0x1' },
  teleporterMessageInfo: { ...info, teleporterMessageId: '0x2' },
};

const asTeleporter = /spelled as in “teleporterMessageInfo”, not as the service settings expect/;
const asCrosschain = /spelled as in “crosschainMessageInfo”, not as the service settings expect/;
const atOnce = /spelled in two ways at once/;

async function read(fields: object, expected: 'specification' | 'public-service') {
  const decode = noteOtherSpelling(decodeAtOnce, () => expected);
  const decoded = await decode(transaction, JSON.stringify({ ...plain, ...fields }));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

describe('the spelling of the cross-chain fields', () => {
  it.each([
    ['no message', {}, null, null],
    ['null for a message', { crosschainMessageInfo: null, teleporterMessageInfo: null }, null, null],
    ['names of the specification', neutral, null, asCrosschain],
    ['names of the public service', own, asTeleporter, null],
    ['a message without an id', { teleporterMessageInfo: info }, asTeleporter, null],
    ['a mixture in one message', ownId, atOnce, atOnce],
    ['two messages', both, atOnce, atOnce],
  ])('with %s', async (_what, fields, whenSpecification, whenPublicService) => {
    for (const [expected, note] of [
      ['specification', whenSpecification],
      ['public-service', whenPublicService],
    ] as const) {
      const { notes, data } = await read(fields, expected);
      expect(notes).toEqual(note === null ? [] : [expect.stringMatching(note)]);
      // Nothing is renamed or left out for it.
      const sent = Object.entries(fields).filter(([, value]) => value !== null);
      expect(data).toMatchObject(Object.fromEntries(sent));
    }
  });

  it('is told after what else is odd', async () => {
    const { notes } = await read({ teleporterMessageInfo: { ...info, direction: 5 } }, 'specification');
    expect(notes).toEqual([
      'teleporterMessageInfo.direction: left out, 5 is not a text.',
      expect.stringMatching(asTeleporter),
    ]);
  });

  it('says nothing about other answers, nor about one that cannot be read', async () => {
    const decode = noteOtherSpelling(decodeAtOnce, () => 'specification');
    const list = JSON.stringify(sampleBodies['address-transactions']);
    expect(await decode(addressTransactions, list)).toEqual(await decodeAtOnce(addressTransactions, list));
    for (const text of [
      '',
      '[]',
      '{"teleporterMessageInfo":{}}',
      JSON.stringify({ ...plain, teleporterMessageInfo: 5 }),
    ]) {
      expect(await decode(transaction, text)).toEqual(await decodeAtOnce(transaction, text));
    }
  });

  it('is compared with the profile as it is when the answer is read', async () => {
    let expected: 'specification' | 'public-service' = 'specification';
    const decode = noteOtherSpelling(decodeAtOnce, () => expected);
    const text = JSON.stringify({ ...plain, ...own });
    expect(await decode(transaction, text)).toMatchObject({ value: { notes: [expect.any(String)] } });
    expected = 'public-service';
    expect(await decode(transaction, text)).toMatchObject({ value: { notes: [] } });
  });
});
