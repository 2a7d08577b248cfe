import { describe, expect, it } from 'vitest';
import { fieldOf, type ChoiceField, type FilterPill } from '../../../../../shared/activity/filter.ts';
import { pillText } from './pill-text.ts';

const nameOf = (field: ChoiceField, value: string) => fieldOf[field].values?.[value] ?? value.toUpperCase();

describe('a pill in words', () => {
  it.each<[FilterPill, string]>([
    [{ field: 'chain', not: false, values: ['c'] }, 'Chain is C'],
    [{ field: 'chain', not: true, values: ['c', 'd'] }, 'Chain is not C or D'],
    [{ field: 'kind', not: false, values: ['exchange', 'nft-transfer'] }, 'Kind is Swap or NFT transfer'],
    [{ field: 'token', not: false, values: ['a', 'b', 'c', 'd'] }, 'Token is A or B or 2 more'],
    [{ field: 'hidden', not: false, values: ['lure-text'] }, 'Hidden because Phishing'],
    [{ field: 'amount', not: false, min: '1', max: '5', token: 'usdc' }, 'Amount from 1 to 5 USDC'],
    [{ field: 'amount', not: true, min: '1', max: '1' }, 'Amount not exactly 1'],
    [{ field: 'value', not: false, min: '100', max: null }, 'Historical value from 100'],
    [{ field: 'block', not: false, min: null, max: '51204331' }, 'Block up to 51,204,331'],
    [{ field: 'block', not: false, min: null, max: null }, 'Block any'],
    [{ field: 'time', not: false, min: '1789567507000', max: null }, 'Time from 2026-09-16 14:05'],
  ])('%o: %s', (pill, text) => {
    expect(pillText(pill, nameOf)).toBe(text);
  });
});
