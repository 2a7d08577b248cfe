import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../../../shared/endpoints/registry.ts';
import type { EndpointDefinition } from '../../../../../shared/endpoints/define.ts';
import { findAskable } from '../../../state/catalogue.ts';
import { checkForm, choiceProblem, dateOfSeconds, describeParam, secondsOfDate } from './query-form.ts';

const list: EndpointDefinition = endpoints['address-transactions'];

describe('checkForm', () => {
  it('tells what is missing apart from what is wrong', () => {
    const check = checkForm(list, { chainId: '', address: '0x12', pageSize: '101' });
    expect(check.params).toBeNull();
    expect(check.reason).toBe('Fill in chainId.');
    expect([...check.problems.keys()]).toEqual(['address', 'pageSize']);
    expect(check.problems.get('pageSize')).toBe('Must be from 1 to 100.');
  });

  it('tells combinations that the service would refuse', () => {
    const values = { chainId: '1', address: `0x${'a'.repeat(40)}`, startBlock: '9', endBlock: '9' };
    expect(checkForm(list, values)).toMatchObject({ params: null, problems: new Map() });
    expect(checkForm(list, values).reason).toMatch(/endBlock/);
    expect(checkForm(list, { ...values, endBlock: '10' }).params).toMatchObject({ startBlock: '9' });
  });
});

it.each([
  [
    Array.from({ length: 51 }, (_, index) => `tag${index}`).join(' '),
    'Must list at most 50 IDs, each with at most 200 characters.',
  ],
  ['x'.repeat(201), 'Must list at most 50 IDs, each with at most 200 characters.'],
  [Array.from({ length: 50 }, (_, index) => `tag${index}`).join(', '), undefined],
])('says which subnets are too many or too long for a call of a node', (tag, problem) => {
  const call = findAskable('get-ext-health');
  if (call === undefined) throw new Error('no such call');
  const check = checkForm(call, { node: 'n1', tag });
  expect([check.params === null, check.problems.get('tag')]).toEqual([problem !== undefined, problem]);
});

describe('choiceProblem', () => {
  const endpoint = {
    ...endpoints['icm-timeseries'],
    rules: [
      (params: Readonly<Record<string, string>>) =>
        params['timeInterval'] === 'hour' && params['groupBy'] !== undefined ? 'Not by the hour.' : null,
    ],
  };

  it('is what a rule says of this value only', () => {
    expect(choiceProblem(endpoint, { groupBy: 'srcBlockchainId' }, 'timeInterval', 'hour')).toBe(
      'Not by the hour.',
    );
    expect(choiceProblem(endpoint, { groupBy: 'srcBlockchainId' }, 'timeInterval', 'day')).toBeNull();
    expect(choiceProblem(endpoint, { groupBy: ' ' }, 'timeInterval', 'hour')).toBeNull();
  });

  it.each(['x', '-1', '1.5', ''])('is none of a choice while a bound of the range is %j', (bound) => {
    const blocks = { startBlock: bound, endBlock: '1' };
    expect(choiceProblem(list, blocks, 'sortOrder', 'asc')).toBeNull();
    const times = { startTimestamp: bound, endTimestamp: '1' };
    expect(choiceProblem(endpoints['icm-timeseries'], times, 'timeInterval', 'day')).toBeNull();
  });
});

it('sends what was typed into a date field, also after a slip in the year', () => {
  expect(secondsOfDate('20255-01-01T00:00')).toBe(String(Date.UTC(20_255, 0, 1) / 1_000));
});

it('describes a parameter with its range and default', () => {
  const spec = list.params['pageSize'];
  expect(spec && describeParam(spec)).toBe('Maximum number of items. From 1 to 100. Default: 10.');
});

it.each([
  ['1767225600', '2026-01-01T00:00:00'],
  ['0', '1970-01-01T00:00:00'],
  ['', ''],
  ['yesterday', ''],
  ['999999999999', ''],
])('has the seconds %j as the date %j', (seconds, date) => {
  expect(dateOfSeconds(seconds)).toBe(date);
  if (date !== '') expect(secondsOfDate(date)).toBe(seconds);
});
