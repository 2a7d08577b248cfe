import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { EndpointId, ResponseById } from '../../../../shared/endpoints/registry.ts';
import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { QueryResult } from '../../../../shared/ipc/answers.ts';
import type { LookupSubject } from '../../state/lookup-subject.ts';
import { Random } from '../../testing/random.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { sampleDetail } from '../../testing/sample-transactions.ts';
import { fullWorld, sampleAddresses } from '../../testing/sample-world.ts';
import Dialogs from '../../views/Dialogs.svelte';

type Answers = { [Id in EndpointId]?: ResponseById[Id] | AppError };

const chainId = '43114';
const stranger = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const hash = (digit: string) => `0x${digit.repeat(64)}`;
const isError = (value: object): value is AppError => 'code' in value;

const native = (digit: string, parts: object = {}) => ({
  txHash: hash(digit),
  blockNumber: '51204331',
  blockTimestamp: Math.floor(testNowMs / 1_000) - 60,
  txStatus: '1',
  from: { address: stranger },
  to: { address: sampleAddresses.treasury },
  value: '1500000000000000000',
  ...parts,
});

const detail = () => {
  const chain = { chainId, name: 'Avalanche C-Chain', symbol: 'AVAX' };
  return sampleDetail(new Random(2), chain, sampleAddresses.treasury, testNowMs - 7_200_000, 2);
};

/** The window with one lookup open. */
async function lookUp(subject: LookupSubject, answers: Answers) {
  const world = fullWorld(testNowMs);
  const rendered = await renderInApp(
    Dialogs,
    { views: [] },
    {
      world,
      prepare: (bridge) =>
        bridge.answer(
          'endpoint.query',
          ({ endpointId, refresh }): Result<QueryResult<ResponseById[EndpointId]>> => {
            if (refresh === 'cached') return err({ code: 'not-found', message: 'not stored' });
            const answer = answers[endpointId];
            if (answer === undefined) throw new Error(`${endpointId} was not to be asked`);
            if (isError(answer)) return err(answer);
            return ok({
              data: answer,
              fetchedAtMs: testNowMs - 2_000,
              source: 'network',
              stale: false,
              notes: [],
              rawText: '{}',
            });
          },
        ),
    },
  );
  rendered.navigation.lookUp(subject);
  await screen.findByRole('dialog');
  const asked = (id: EndpointId) =>
    rendered.bridge
      .argsOf('endpoint.query')
      .filter(({ endpointId, refresh }) => endpointId === id && refresh !== 'cached');
  return { ...rendered, asked };
}

const token = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E';
const onAddress: LookupSubject = { kind: 'address', chainId, address: token };
const onBlock: LookupSubject = { kind: 'block', chainId, blockId: '51204331' };

describe('LookupDrawer', () => {
  it('tells the transfers of a token contract apart by the token that they name', async () => {
    const parties = { txHash: hash('a'), from: { address: stranger }, to: { address: sampleAddresses.hot } };
    await lookUp(onAddress, {
      'token-transfers': {
        transfers: [
          {
            ...parties,
            logIndex: 1,
            value: '2500000',
            erc20Token: { address: token, symbol: 'USDC', decimals: 6 },
          },
          { ...parties, logIndex: 2, erc721Token: { address: token, symbol: 'WATCH', tokenId: '4711' } },
          { ...parties, logIndex: 3, value: '25', erc1155Token: { address: token, tokenId: '9' } },
        ],
      },
    });
    const list = await screen.findByRole('list', { name: 'Token transfers' });
    const [erc20, erc721, erc1155] = [...list.children].map((item) => item.textContent);
    expect(erc20).toMatch(/ERC-20.*2\.5\s*USDC/s);
    expect(erc721).toMatch(/ERC-721.*WATCH\s*4711/s);
    expect(erc1155).toMatch(/ERC-1155.*25.*9/s);
    expect(list.textContent).toContain('Hot wallet');
    expect(list.textContent).toContain('Joe the accountant');
  });

  it('shows equal transfers of one log, and none again that a later page repeats', async () => {
    const transfer = {
      txHash: hash('a'),
      logIndex: 3,
      value: '25',
      erc1155Token: { address: token, tokenId: '9' },
    };
    const transfers = [transfer, transfer, { ...transfer, logIndex: 4 }];
    const { user } = await lookUp(onAddress, { 'token-transfers': { transfers, nextPageToken: 'next' } });
    const list = await screen.findByRole('list', { name: 'Token transfers' });
    expect(list.children).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Fetch more' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Fetch more' })).toBeNull());
    expect(list.children).toHaveLength(3);
  });

  it('shows what the publisher says of a contract as text, and opens https alone', async () => {
    const { bridge, user } = await lookUp(onAddress, {
      'token-transfers': { transfers: [] },
      'deployed-contracts': {
        contracts: [
          {
            address: stranger,
            ercType: 'ERC-721',
            name: '<img src=x>',
            symbol: 'WATCH',
            description: 'Claim at evil.example',
            tags: ['nft'],
            officialSite: 'https://watch.example',
            resourceLinks: [
              { type: 'Blog', url: 'http://blog.example' },
              { type: 'Chat', url: 'javascript:alert(1)' },
            ],
            deploymentDetails: {
              txHash: hash('b'),
              deployerAddress: token,
              deployerContractAddress: stranger,
            },
          },
        ],
      },
    });
    await user.click(screen.getByText('Deployed contracts'));
    const list = await screen.findByRole('list', { name: 'Deployed contracts' });
    await user.click(within(list).getByText('More', { exact: true }));
    for (const words of [
      '<img src=x>',
      'ERC-721',
      'nft',
      'via contract',
      'http://blog.example',
      'javascript:alert(1)',
    ]) {
      expect(list.textContent).toContain(words);
    }
    expect(document.querySelectorAll('img, dialog a')).toHaveLength(0);
    expect(within(list).queryByRole('button', { name: /^Open (Blog|Chat)/ })).toBeNull();
    await user.click(within(list).getByRole('button', { name: 'Open website in your browser' }));
    expect(bridge.argsOf('app.openExternal')).toEqual([{ url: 'https://watch.example' }]);
  });

  it('shows the transaction that deployed a contract', async () => {
    const { asked, user } = await lookUp(onAddress, {
      'token-transfers': { transfers: [] },
      'contract-deployment': detail(),
    });
    await user.click(screen.getByText('Deployment'));
    await screen.findByRole('region', { name: /^What moved/ });
    expect(asked('contract-deployment').map(({ params }) => params)).toEqual([{ chainId, address: token }]);
  });

  it('opens a transaction of a block that no history has, and goes back to the list as it was', async () => {
    const { asked, user } = await lookUp(onBlock, {
      'block-transactions': {
        transactions: [native('a'), native('b', { txStatus: '0' })],
        nextPageToken: 't',
      },
      transaction: detail(),
    });
    const list = await screen.findByRole('list', { name: 'Transactions in this block' });
    expect(list.textContent).toMatch(/1\.5\s*AVAX/);
    expect(list.textContent).toContain('Failed');
    await user.click(within(list).getByRole('button', { name: 'Open transaction 0xaaaaaa…aaaa' }));
    expect(await screen.findByRole('heading', { name: 'Transaction' })).toBeTruthy();
    // The keyboard follows to the page that is shown.
    await expect.poll(() => document.activeElement?.matches('.page:not([hidden])')).toBe(true);
    const effect = await screen.findByRole('list', { name: 'Net effect' });
    expect(effect.textContent).toContain('−1,250.5');
    expect((await screen.findByRole('region', { name: 'Source of this data' })).textContent).toContain(
      'not with an address’s history',
    );
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('heading', { name: 'Block 51,204,331' })).toBeTruthy();
    expect(asked('block-transactions')).toHaveLength(1);
  });

  it('goes on where the list ends, with its token', async () => {
    const { asked, user } = await lookUp(onBlock, {
      'block-transactions': { transactions: [native('a')], nextPageToken: 'next' },
    });
    await user.click(await screen.findByRole('button', { name: 'Fetch more' }));
    await waitFor(() => expect(asked('block-transactions')).toHaveLength(2));
    expect(asked('block-transactions')[1]?.params).toMatchObject({ pageToken: 'next' });
  });

  it('says which endpoint it asked, by the name that Explore has for it, and has what came, page by page', async () => {
    const { user } = await lookUp(onBlock, {
      'block-transactions': { transactions: [native('a')], nextPageToken: 'next' },
    });
    await user.click(await screen.findByRole('button', { name: 'Fetch more' }));
    const raw = await screen.findByRole('region', { name: /^Raw JSON/ });
    expect(raw.textContent).toContain('as received');
    expect(screen.getByText(/so far, fetched/).textContent).toContain('from “Transactions in a block”');
    await user.click(within(raw).getByText('Show JSON'));
    await waitFor(() => expect(within(raw).getAllByText('{}')).toHaveLength(2));
    expect(within(raw).getByText('Page 2')).toBeTruthy();
    expect(raw.querySelectorAll('pre.private')).toHaveLength(2);
  });

  it.each([
    [{ code: 'not-found', message: '' }, 'The service has no record of this'],
    [{ code: 'unreachable', message: '' }, 'No connection to the service, and nothing is stored yet'],
    [{ code: 'rate-limited', message: '', retryAtMs: 9_000 }, 'The service’s rate limit has been reached'],
    [{ code: 'upstream', message: '', status: 503 }, 'The service returned an error (status 503)'],
  ] as const)('does not pass %o off as an empty list', async (error, title) => {
    await lookUp(onBlock, { 'block-transactions': error });
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'No results' })).toBeNull();
  });

  it('says that a chain is not indexed where that is known', async () => {
    const unindexed = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM';
    await lookUp(
      { ...onBlock, chainId: unindexed },
      { 'block-transactions': { code: 'not-found', message: '' } },
    );
    expect(await screen.findByText('This chain isn’t indexed')).toBeTruthy();
  });
});

describe('LookupForm', () => {
  const form: LookupSubject = { kind: 'form', text: '', chainId: null };

  it('looks up a block by Enter, on the chain that is chosen', async () => {
    const { asked, user } = await lookUp(form, { 'block-transactions': { transactions: [] } });
    await user.clear(screen.getByLabelText('Chain'));
    await user.type(screen.getByLabelText('Chain'), '53935');
    const field = screen.getByLabelText('Address, block or transaction');
    await user.type(field, '1,234');
    await user.click(screen.getByRole('button', { name: 'Choose a chain' }));
    await user.keyboard('nowhere{Enter}{Escape}');
    expect(asked('block-transactions')).toEqual([]);
    await user.type(field, '{Enter}');
    expect(await screen.findByRole('heading', { name: 'Block 1,234' })).toBeTruthy();
    expect(asked('block-transactions')[0]?.params).toEqual({
      chainId: '53935',
      blockId: '1234',
      pageSize: '50',
    });
  });

  it('lets the user say what 32 bytes are', async () => {
    const { user } = await lookUp(form, { 'block-transactions': { transactions: [] } });
    await user.type(screen.getByLabelText('Address, block or transaction'), hash('c'));
    expect(screen.getByRole('button', { name: 'Look up transaction' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Look up block' }));
    expect(await screen.findByRole('heading', { name: 'Block 0xcccccc…cccc' })).toBeTruthy();
  });

  it('refuses a wrong checksum and offers the right spelling', async () => {
    const { asked, navigation, user } = await lookUp(form, { 'token-transfers': { transfers: [] } });
    const field = screen.getByLabelText('Address, block or transaction');
    await user.type(field, `${stranger.slice(0, -1)}D{Enter}`);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(navigation.lookups).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Use corrected address' }));
    await user.click(screen.getByRole('button', { name: 'Look up address' }));
    expect(asked('token-transfers')[0]?.params).toMatchObject({ address: stranger });
  });

  it('asks for nothing when what is typed names nothing', async () => {
    const { bridge, navigation, user } = await lookUp(form, {});
    await user.type(screen.getByLabelText('Address, block or transaction'), 'vitalik.eth{Enter}');
    expect(screen.getByText(/An address has 40 digits/)).toBeTruthy();
    expect(navigation.lookups).toHaveLength(1);
    expect(bridge.argsOf('endpoint.query')).toEqual([]);
  });
});
