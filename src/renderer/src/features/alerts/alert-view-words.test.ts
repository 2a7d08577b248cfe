import { expect, it } from 'vitest';
import { testNowMs } from '../../testing/render.ts';
import { sampleAlerts } from '../../testing/sample-alerts.ts';
import { sentWords } from './alert-view-words.ts';

const [message] = sampleAlerts(testNowMs).messages;
if (message === undefined) throw new Error('there are samples');

it.each([
  ['system', 'Not sent: notifications were turned off before it could be sent'],
  ['webhook', 'Not sent: your webhook was turned off before it could be sent'],
  ['heartbeat', 'Not sent: your heartbeat monitor was turned off before it could be sent'],
])('says in a whole sentence that %s was turned off before a message was sent', (channel, words) => {
  const sent = [{ channel, state: 'off' as const, atMs: testNowMs, error: null }];
  expect(sentWords({ ...message, sent })).toBe(words);
});
