import { expect, it } from 'vitest';
import type { Alert } from './types.ts';
import { alertWords } from './words.ts';

it.each([
  ['end', 'node-1: alert ended'],
  ['reminder', 'Still open: node-1 is slow'],
] as const)(
  'where the clock was set back meanwhile, the message %s has no span, as it is not known',
  (kind, title) => {
    const member = {
      nodeId: 'n1',
      nodeName: 'node-1',
      rule: 'slow',
      subject: '',
      words: 'node-1 is slow',
      because: [],
      endedAtMs: null,
    };
    // Of an alert the words need no more.
    const alert = { members: [member], startedAtMs: 9_000, endedAtMs: null } as unknown as Alert;
    const words = alertWords(kind, alert, 8_000);
    expect(words.title).toBe(title);
    expect(words.hidden).not.toContain('0 s');
    expect(alertWords(kind, alert, 14_000).title).toContain('after 5 s');
  },
);
