import { describe, expect, it } from 'vitest';
import { searchedForms } from './run-search.ts';

const address = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E';
const names = [
  { name: 'Hot Wallet', value: address },
  { name: 'C-Chain', value: '43114' },
];

describe('a word of a search', () => {
  it.each([
    ['c-chain', '\n43114\n'],
    ['hot', `\n${address.toLowerCase()}\n`],
    ['/v2/icm/timeseries', '\nicm-timeseries\n'],
    ['transactions:listerc20', '\naddress-erc20-transfers\n'],
    ['health.readiness', '\nrpc-health-readiness\n'],
    ['0xb97ef9…8a6e', '\n0xb97ef9…8a6e\n'],
    ['0xb97ef9...8a6e', '\n0xb97ef9…8a6e\n'],
    ['failed', 'failed'],
    ['incomplete', '\npartial\n'],
    ['stopped', '\npartial\n'],
    ['fetching', '\nrunning\n'],
  ])('%s may stand as %j', (word, form) => {
    expect(searchedForms(word, names)[0]).toContain(form);
  });

  it.each(['/v1/chains/43114/transactions', 'https://api.example/v1/chains/43114/transactions?pagesize=10'])(
    'that is a path as it was asked, %s, stands for the endpoint and what is in it',
    (word) => {
      const [endpoint, chain, ...more] = searchedForms(word, names);
      expect(endpoint).toEqual(['\nchain-transactions\n']);
      expect(chain).toContain('43114');
      expect(more).toEqual([]);
    },
  );

  it('stands for what is named with all words, however many are named with one of them', () => {
    const many = Array.from({ length: 200 }, (_, place) => ({
      name: `Validator ${place}`,
      value: `v${place}`,
    }));
    for (const forms of searchedForms('validator 172', many)) expect(forms).toContain('\nv172\n');
  });

  it('stands for something once, by however many addresses its name is known', () => {
    const chains = Array.from({ length: 60 }, () => ({ name: 'Avalanche', value: '43114' }));
    const [forms] = searchedForms('avalanche', [...chains, { name: 'Avalanche treasury', value: address }]);
    expect(forms).toEqual(['avalanche', '\n43114\n', `\n${address.toLowerCase()}\n`]);
  });

  it('is itself where it names nothing, and one of many', () => {
    expect(searchedForms('  xyz  abc ', names)).toEqual([['xyz'], ['abc']]);
    expect(searchedForms('', names)).toEqual([]);
  });
});
