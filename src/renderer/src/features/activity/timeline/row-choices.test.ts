import { expect, it } from 'vitest';
import { describeRow } from '../../../../../shared/activity/describe.ts';
import { shortHash } from '../../../../../shared/text.ts';
import { partialRow } from '../../../testing/transaction-drawer.ts';
import { verdictsOn, verdictWords } from './row-choices.ts';

it('offers for a row and each token one thing: to hide it, to show it, or to undo what was decided', () => {
  const row = partialRow(2);
  const described = describeRow(row, []);
  const offered = (spam: Partial<(typeof row)['marks']['spam']>) =>
    verdictsOn({ ...row, marks: { ...row.marks, spam: { ...row.marks.spam, ...spam } } }, described).map(
      ({ kind, decision, before }) => `${kind} ${decision} ${before}`,
    );
  const tokens = (words: string) => Array<string>(offered({}).length - 1).fill(`token ${words}`);
  expect(tokens('').length).toBeGreaterThan(0);
  expect(offered({})).toEqual(['row hide null', ...tokens('hide null')]);
  expect(offered({ hiddenReason: 'zero-value' })).toEqual(['row show null', ...tokens('show null')]);
  const hidden = { hiddenReason: 'user', decision: 'hide' } as const;
  expect(offered({ ...hidden, decidedFor: 'row' })).toEqual(['row null hide', ...tokens('show null')]);
  expect(offered({ ...hidden, decidedFor: 'token' })).toEqual(['row show null', 'token null hide']);
  expect(offered({ decision: 'show', decidedFor: 'row' })).toEqual(['row null show', ...tokens('hide null')]);
});

it('names what takes a choice back, once for all tokens of a row', () => {
  const about = { kind: 'token' as const, name: 'token USDC or LUM.b', targets: [] };
  expect(verdictWords({ ...about, decision: null, before: 'hide' })).toBe('Undo hiding token USDC or LUM.b');
  expect(verdictWords({ ...about, decision: null, before: 'show' })).toBe(
    'Use spam rules for token USDC or LUM.b',
  );
  expect(verdictWords({ ...about, decision: 'hide', before: null })).toBe('Hide token USDC or LUM.b');
});

it('tells tokens of one name apart, of which one may imitate the other', () => {
  const row = partialRow(2);
  const [transfer] = row.transaction.erc20Transfers ?? [];
  if (transfer === undefined) throw new Error('the sample has transfers');
  const imitation = { ...transfer.erc20Token, address: `0x${'1'.repeat(40)}` };
  row.transaction.erc20Transfers = [transfer, { ...transfer, logIndex: 90, erc20Token: imitation }];
  const { symbol = '', address } = transfer.erc20Token;
  const tokens = verdictsOn(row, describeRow(row, [])).flatMap(({ kind, name }) =>
    kind === 'token' ? [name] : [],
  );
  expect(tokens).toEqual([address, imitation.address].map((one) => `token ${symbol} (${shortHash(one)})`));
});
