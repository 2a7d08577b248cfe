import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { err } from '../../../shared/errors.ts';
import { renderInApp } from '../testing/render.ts';
import { sampleAddresses } from '../testing/sample-world.ts';
import { everyRun } from '../state/past-queries.svelte.ts';
import ExploreView from './ExploreView.svelte';

const hash = `0x${'a'.repeat(64)}`;
const result = () => screen.getByRole('region', { name: 'Result' });
const run = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Run' });

async function open(title: string, prepare?: NonNullable<Parameters<typeof renderInApp>[2]>['prepare']) {
  const rendered = await renderInApp(ExploreView, {}, prepare === undefined ? {} : { prepare });
  const { user } = rendered;
  await user.click(screen.getByRole('button', { name: title }));
  const fill = async (name: string, value: string) => {
    const field = screen.getByLabelText(new RegExp(`^${name}( optional)?$`));
    await user.clear(field);
    await user.type(field, value);
  };
  return { ...rendered, fill };
}

describe('ExploreView', () => {
  it('finds an endpoint and checks its form as it is filled in', async () => {
    const { user, fill } = await open('Transactions for an address');
    expect(run().disabled).toBe(true);
    expect(screen.getByText('Fill in chainId, address.')).toBeTruthy();
    await fill('chainId', '43114');
    await fill('address', '0x12');
    expect(screen.getByText('Must be an address: 0x and 40 hexadecimal digits.')).toBeTruthy();
    await fill('address', sampleAddresses.treasury);
    expect(run().disabled).toBe(false);
    await user.type(screen.getByRole('searchbox', { name: 'Search endpoints' }), 'liveness');
    const list = screen.getByRole('navigation', { name: 'Endpoints and node calls' });
    expect(within(list).getAllByRole('button')).toHaveLength(2);
  });

  it('suggests watched addresses', async () => {
    await open('Transactions for an address');
    const values = [...document.querySelectorAll('datalist option')].map((option) =>
      option.getAttribute('value'),
    );
    expect(values).toContain(sampleAddresses.treasury);
  });

  it('has chains to choose by name, found by name or id, and takes any id that is typed', async () => {
    const { user, explore, fill } = await open('Rolling window metrics for a chain');
    const picker = () => screen.queryByRole('dialog', { name: 'Choose a chain' });
    const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent.trim());
    await user.click(screen.getByRole('button', { name: 'Choose a chain' }));
    const search = screen.getByRole('combobox', { name: 'Known chains' });
    expect(document.activeElement).toBe(search);
    expect(names().slice(0, 3)).toEqual(['total', 'mainnet', 'testnet']);
    await user.type(search, 'avalanche');
    expect(screen.getByRole('option', { name: /^Avalanche C-Chain/ }).textContent).toMatch(/43114$/);
    await user.keyboard('{Enter}');
    expect(explore.values['chainId']).toBe('43114');
    expect(picker()).toBeNull();
    expect(screen.getByText(/^Avalanche C-Chain\. /)).toBeTruthy();

    const field = screen.getByLabelText('chainId');
    field.focus();
    await user.keyboard('{ArrowDown}');
    const list = within(screen.getByRole('listbox', { name: 'Known chains' }));
    expect(list.getByRole('option', { selected: true }).textContent).toContain('Avalanche C-Chain');
    await user.type(screen.getByRole('combobox', { name: 'Known chains' }), '99x');
    expect(screen.getByText(/^No known chains match/)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(field);
    await fill('chainId', '99999');
    expect(explore.values['chainId']).toBe('99999');
    await fill('chainId', 'avalanche c-chain');
    await user.tab();
    expect(explore.values['chainId']).toBe('43114');
  });

  it('asks, shows rows, and goes on page by page', async () => {
    const { bridge, user, fill } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    const table = await within(result()).findByRole('table', { name: 'Rows' });
    expect(within(table).getAllByRole('row')).toHaveLength(3);
    expect(bridge.argsOf('runs.start')).toEqual([
      {
        target: { kind: 'endpoint', endpointId: 'chain-transactions', params: { chainId: '43114' } },
        pages: 'one',
      },
    ]);
    await user.click(within(result()).getByRole('button', { name: 'All pages' }));
    await expect.poll(() => within(table).getAllByRole('row').length).toBe(7);
    expect(within(result()).getByRole('group', { name: 'Progress' }).textContent).toContain(
      '6 rows on 3 pages',
    );

    const header = within(table).getByRole('columnheader', { name: 'value' });
    await user.click(within(header).getByRole('button'));
    expect(header.getAttribute('aria-sort')).toBe('ascending');

    await user.click(within(result()).getByRole('button', { name: /^Columns/ }));
    await user.click(screen.getByRole('checkbox', { name: 'value' }));
    expect(within(table).queryByRole('columnheader', { name: 'value' })).toBeNull();
  });

  it('makes a column wider for what was asked, keeps that, and has it as usual again', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(200);
    const { user, fill, bridge, app } = await open('Latest transactions on a chain');
    const template = async (title: string) => {
      await user.click(screen.getByRole('button', { name: title }));
      if (title.endsWith('on a chain')) await fill('chainId', '43114');
      await user.click(run());
      const table = await within(result()).findByRole('table', { name: 'Rows' });
      return table.parentElement?.style.getPropertyValue('--columns');
    };
    const usual = await template('Latest transactions on a chain');
    const widths = within(result()).getByRole('group', { name: 'Column widths' });
    const edge = within(widths).getByRole('separator', { name: 'Width of value' });
    edge.focus();
    await user.keyboard('{ArrowRight}');
    const stored = { 'chain-transactions value': 216 };
    expect(bridge.argsOf('settings.update')).toEqual([{ columnWidths: stored }]);
    await expect.poll(() => app.settings.columnWidths).toEqual(stored);
    // The answer to another question has the same columns, and these are as they were.
    expect(await template('Latest transactions on all chains')).toBe(usual);
    expect(await template('Latest transactions on a chain')).toContain(' 216px');
    await user.dblClick(within(result()).getByRole('separator', { name: 'Width of value' }));
    await expect.poll(() => app.settings.columnWidths).toEqual({});
    expect(await template('Latest transactions on a chain')).toBe(usual);
  });

  it('has no edge where the name of a field is too long to be kept', async () => {
    const long = 'n'.repeat(200);
    const { user, fill } = await open('Latest transactions on a chain', (fake) => {
      fake.runs.bodies.set('chain-transactions', () => ({ transactions: [{ value: '1', [long]: 'x' }] }));
    });
    await fill('chainId', '43114');
    await user.click(run());
    const table = await within(result()).findByRole('table', { name: 'Rows' });
    expect(within(table).getByRole('columnheader', { name: long })).toBeTruthy();
    expect(within(result()).getAllByRole('separator')).toHaveLength(1);
  });

  it('opens what a result mentions with the form filled in', async () => {
    const { user, explore, fill } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    await user.click(
      (await screen.findAllByRole('button', { name: /^Query transaction/ }))[0] as HTMLElement,
    );
    expect(explore.choice).toBe('transaction');
    expect(explore.values['chainId']).toBe('43114');
  });

  it('calls a node with tags', async () => {
    const { bridge, user } = await open('Health via JSON-RPC');
    await user.selectOptions(screen.getByRole('combobox', { name: 'node' }), 'n2');
    await user.type(screen.getByRole('textbox', { name: /^tags/ }), 'a, b');
    await user.click(run());
    expect(bridge.argsOf('runs.start')[0]?.target).toEqual({
      kind: 'node',
      nodeId: 'n2',
      callId: 'rpc-health-health',
      tags: ['a', 'b'],
    });
    const table = await within(result()).findByRole('table', { name: 'Rows' });
    expect(table.textContent).toContain('diskspace');
    expect(within(result()).getByText('Reported by the node: not healthy')).toBeTruthy();
  });

  it('shows why a query failed, what the service said and its attempts', async () => {
    const { user, fill, bridge } = await open('Transaction', (fake) => {
      fake.answer('runs.start', ({ target }) => {
        const begun = fake.runs.start(target, 'one');
        const error = { code: 'upstream', message: 'Bad Gateway', status: 502 } as const;
        return { ok: true, value: { ...begun, state: 'failed', pageCount: 0, fetched: null, error } };
      });
    });
    await fill('chainId', '43114');
    await fill('txHash', hash);
    await user.click(run());
    expect(await screen.findByText('The service returned an error (status 502)')).toBeTruthy();
    expect(screen.getByText('Bad Gateway')).toBeTruthy();
    await user.click(screen.getByText('Attempts'));
    expect(within(await screen.findByRole('table', { name: 'Attempts' })).getByText('token-1')).toBeTruthy();
    expect(bridge.argsOf('runs.page')).toEqual([]);
  });

  it('copies as curl without a key, and says where a file was saved', async () => {
    const { bridge, messages, user, fill } = await open('Transaction');
    await fill('chainId', '43114');
    await fill('txHash', hash);
    await user.click(run());
    await user.click(await screen.findByRole('button', { name: 'Copy as curl' }));
    expect(bridge.argsOf('app.copyText')[0]?.text).toContain("-H 'x-service-api-key: <API_KEY>'");
    await user.click(screen.getByRole('button', { name: 'Save CSV' }));
    await expect
      .poll(() => messages.list.map((message) => (message.kind === 'done' ? message.text : '')))
      .toContain('Saved 30 rows to /home/me/rows.csv');
  });

  it('keeps past queries: found, opened as fetched, asked again, removed', async () => {
    const { bridge, messages, user, fill, explore } = await open('Transaction');
    await fill('chainId', '43114');
    await fill('txHash', hash);
    await user.click(run());
    await user.click(screen.getByRole('button', { name: 'Liveness' }));
    expect(explore.run).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Past queries' }));
    const list = await screen.findByRole('list', { name: 'Past queries' });
    await user.click(within(list).getByRole('button', { name: /^Transaction/ }));
    expect(explore.run?.id).toBe('run-1');
    expect(explore.values['txHash']).toBe(hash);
    expect(bridge.argsOf('runs.start')).toHaveLength(1);

    await user.type(screen.getByRole('searchbox', { name: 'Find a past query' }), 'nothing like this');
    expect(await screen.findByText('No past queries match.')).toBeTruthy();
    await user.clear(screen.getByRole('searchbox', { name: 'Find a past query' }));
    await user.type(screen.getByRole('searchbox', { name: 'Find a past query' }), '43114');
    expect(await within(list).findAllByRole('listitem')).toHaveLength(1);
    await user.click(within(result()).getByRole('button', { name: 'Run again' }));
    await expect.poll(() => within(list).getAllByRole('listitem').length).toBe(2);
    const [actions] = within(list).getAllByRole('button', { name: /^Actions for/ });
    if (actions === undefined) throw new Error('The list is empty.');
    await user.click(actions);
    await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
    await expect.poll(() => within(list).getAllByRole('listitem').length).toBe(1);
    const lists = bridge.argsOf('runs.list').length;
    await messages.undo(messages.undoable?.id ?? 0);
    expect(bridge.argsOf('removals.settle')).toMatchObject([{ putBack: true }]);
    expect(bridge.argsOf('runs.list')).toHaveLength(lists + 1);
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    await user.clear(screen.getByRole('searchbox', { name: 'Find a past query' }));
    expect(await screen.findByText('disk full')).toBeTruthy();
  });

  it('is as old as its oldest page, in the result, in the list and in the chart', async () => {
    const days = 86_400_000;
    const { user } = await open('Cross-chain messages over time', ({ runs, world }) => {
      // The first page has half of a day three days ago; the next one was fetched now.
      const points = [{ timestamp: (world.nowMs - 3 * days) / 1_000 - 100, value: 5 }];
      runs.bodies.set('icm-timeseries', (page) => ({ results: page === 0 ? points : [] }));
      runs.fetchedAtMs = (page) => world.nowMs - (page === 0 ? 3 * days : 0);
    });
    await user.selectOptions(screen.getByRole('combobox', { name: /^timeInterval/ }), 'day');
    await user.click(run());
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    const progress = screen.getByRole('group', { name: 'Progress' });
    await expect.poll(() => progress.textContent).toMatch(/fetched\s+3 d ago to just now/);
    const about = within(result()).getByRole('list', { name: 'About the chart' });
    expect(about.textContent).toContain('over yet when');
    await user.click(screen.getByRole('radio', { name: 'Past queries' }));
    const list = await screen.findByRole('list', { name: 'Past queries' });
    expect(list.textContent).toMatch(/3 d ago to just now/);
  });

  it('asks before it fetches more pages than at once, with what is known of their size', async () => {
    const { bridge, user, fill } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    await screen.findByRole('button', { name: 'All pages' });
    expect(screen.queryByText(/There are more pages/)).toBeNull();
    bridge.emit('run.changed', {
      ...(await bridge
        .invoke('runs.list', { filter: { ...everyRun, states: [] }, offset: 0, limit: 1 })
        .then((listed) => {
          if (!listed.ok || listed.value.runs[0] === undefined) throw new Error('no query');
          return listed.value.runs[0];
        })),
      pageCount: 50,
      byteLength: 250_000,
    });
    expect(await screen.findByText('There are more pages. Fetch up to 50 more?')).toBeTruthy();
    expect(result().textContent).toMatch(
      /50 pages so far: 250\.0 KB in total, 5\.0 KB per page\..*Chain data: /s,
    );
    await user.click(screen.getByRole('button', { name: 'Fetch more pages' }));
    expect(bridge.argsOf('runs.continue')).toEqual([{ runId: 'run-1', pages: 'all' }]);
  });

  it('takes a time as a date in UTC, and shows the seconds that are sent', async () => {
    const { bridge, user } = await open('Cross-chain messages over time');
    const field = screen.getByLabelText(/^startTimestamp/);
    await fireEvent.change(field, { target: { value: '2026-01-01T00:00:00' } });
    expect(screen.getByText(/sent as Unix time 1767225600/)).toBeTruthy();
    await user.click(run());
    expect(bridge.argsOf('runs.start')[0]?.target).toMatchObject({
      params: { startTimestamp: '1767225600' },
    });
  });

  it('opens a removed query again when that is undone', async () => {
    const { messages, user, fill, explore } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    await within(result()).findByRole('table', { name: 'Rows' });
    await user.click(screen.getByRole('radio', { name: 'Past queries' }));
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }));
    await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
    await expect.poll(() => explore.run).toBeNull();
    await messages.undo(messages.undoable?.id ?? 0);
    expect(explore.run?.id).toBe('run-1');
  });

  it('filters past queries by state, by what was asked and by day', async () => {
    const { bridge, user, fill } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    await user.click(screen.getByRole('radio', { name: 'Past queries' }));
    await screen.findByRole('list', { name: 'Past queries' });
    await user.click(screen.getByText('Filter'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'failed');
    expect(await screen.findByText('No past queries match.')).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Query' }), 'chain-transactions');
    await fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-09-01' } });
    await fireEvent.change(screen.getByLabelText('to'), { target: { value: '2026-09-02' } });
    expect(bridge.argsOf('runs.list').at(-1)?.filter).toEqual({
      text: '',
      states: ['failed'],
      asked: 'chain-transactions',
      fromMs: new Date(2026, 8, 1).getTime(),
      beforeMs: new Date(2026, 8, 3).getTime(),
    });
  });

  it('shows queries to another service with its name, and cannot go on with them', async () => {
    const { bridge, user, fill, app } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    await screen.findByRole('button', { name: 'Next page' });
    await user.click(screen.getByRole('radio', { name: 'Past queries' }));
    const list = await screen.findByRole('list', { name: 'Past queries' });
    expect(list.textContent).not.toContain('127.0.0.1');
    const service = { ...app.settings.service, dataUrl: 'https://other.example' };
    bridge.emit('settings.changed', { ...app.settings, service });
    await expect.poll(() => list.textContent).toContain('127.0.0.1:7650');
    expect(within(result()).getByText(/switch to this service in Settings/)).toBeTruthy();
    expect(within(result()).queryByRole('button', { name: 'Next page' })).toBeNull();
    expect(within(result()).getByRole('table', { name: 'Rows' })).toBeTruthy();
  });

  it('writes the times of buckets in UTC, in every tab, west of it too', async () => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(300);
    const { user } = await open('Cross-chain messages over time', ({ runs }) => {
      const timestamp = Date.UTC(2026, 10, 22) / 1_000;
      runs.bodies.set('icm-timeseries', () => ({ results: [{ timestamp, value: 5 }] }));
    });
    await user.click(run());
    const day = /2026-11-22/;
    for (const tab of ['Chart', 'Table']) {
      await user.click(await screen.findByRole('radio', { name: tab }));
      const table = within(result()).getByRole('table', { name: 'Rows' });
      // All times are days, which have no hour.
      expect(table.textContent).toMatch(day);
      expect(table.textContent).not.toContain('00:00');
      expect(within(table).getByRole('columnheader', { name: 'timestamp UTC' })).toBeTruthy();
    }
    await user.click(screen.getByRole('radio', { name: 'Record' }));
    const record = within(result()).getByRole('group', { name: 'Record' });
    expect(record.textContent).toMatch(/2026-11-22.* UTC/s);
  });

  it('has weights in the token that is staked, and calls metrics by words', async () => {
    const { user, explore } = await open('Staking over time', ({ runs }) => {
      const timestamp = Date.UTC(2026, 10, 22) / 1_000;
      runs.bodies.set('staking-metrics', () => ({ results: [{ timestamp, value: '215000000000000001' }] }));
    });
    const subnetId = '11111111111111111111111111111111LpoYY';
    explore.prefill({
      id: 'staking-metrics',
      values: { network: 'mainnet', metric: 'validatorWeight', subnetId },
    });
    expect(await screen.findByRole('option', { name: 'Validator weight' })).toBeTruthy();
    await user.click(run());
    await user.click(await screen.findByRole('radio', { name: 'Table' }));
    const table = within(result()).getByRole('table', { name: 'Rows' });
    expect(within(table).getByRole('columnheader', { name: 'value (AVAX)' })).toBeTruthy();
    expect(table.textContent).toContain('215,000,000.000000001');
  });

  it('follows a query that goes on by itself', async () => {
    const { bridge, user, fill, explore } = await open('Latest transactions on a chain');
    await fill('chainId', '43114');
    await user.click(run());
    await expect.poll(() => explore.pages.length).toBe(1);
    bridge.runs.goOn('run-1', 'all');
    await expect.poll(() => explore.pages.length).toBe(3);
    expect(explore.past.loaded).toBe(false);
  });
});
