import { expect, it } from 'vitest';
import { crosschainMessageOf } from './crosschain.ts';

it.each([
  [{}, null],
  [{ crosschainMessageInfo: { crosschainMessageId: '0x1' } }, '0x1'],
  [{ teleporterMessageInfo: { teleporterMessageId: '0x2' } }, '0x2'],
  [{ crosschainMessageInfo: { teleporterMessageId: '0x3' } }, '0x3'],
  // An empty object in one spelling hid the message in the other.
  [{ crosschainMessageInfo: {}, teleporterMessageInfo: { teleporterMessageId: '0x4' } }, '0x4'],
])('the message of %j is %s', (detail, messageId) => {
  expect(crosschainMessageOf(detail)?.messageId ?? null).toBe(messageId);
});
