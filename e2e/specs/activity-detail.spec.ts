import type { Locator, Page } from 'playwright/test';
import { expectAccessible } from '../accessible.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { SampleService } from '../sample-service.ts';

/** Opens a lookup by the palette and fills in its form. */
async function lookUp(page: Page, chainId: string, text: string, button: string): Promise<void> {
  await command(page, 'Look up an address');
  const form = page.getByRole('form', { name: 'Look up' });
  await form.getByLabel('Address, block or transaction').fill(text);
  await form.getByLabel('Chain', { exact: true }).fill(chainId);
  await form.getByRole('button', { name: button }).click();
}

async function command(page: Page, words: string): Promise<void> {
  // Keys are heard when the window is there.
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search views, addresses, nodes and commands' }).fill(words);
  await page.keyboard.press('Enter');
}

const section = (drawer: Locator, name: string | RegExp) => drawer.getByRole('region', { name });

/** The account that sent the message of the examples, and received it at the other end. */
async function messenger({ ready }: SampleService): Promise<string> {
  const { sourceChainId, sourceTxHash } = ready.examples.message;
  const response = await fetch(`${ready.dataUrl}/v1/chains/${sourceChainId}/transactions/${sourceTxHash}`, {
    headers: { 'x-service-api-key': ready.apiKey },
  });
  const detail = (await response.json()) as { nativeTransaction: { from: { address: string } } };
  return detail.nativeTransaction.from.address;
}

test('a transaction in all its parts: movements and their value, input in words, marks, names, block', async ({
  running,
  service,
}) => {
  const { examples } = service.ready;
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.watchAddress(examples.address, 'Treasury');
  const hash = examples.txHash;
  await page.getByRole('searchbox').fill(hash);
  const rows = app.timeline.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
  await expect(rows).toHaveCount(1);
  await rows.click();
  const drawer = app.drawer;

  // Every kind of movement in the order of the log, with its value at the prices that the service gave.
  await expect(section(drawer, /^What moved/)).toContainText('ERC-721');
  await expect(section(drawer, /^What moved/)).toContainText('ERC-1155');
  const places = await drawer.getByRole('list', { name: 'Transfers' }).locator('.place').allTextContents();
  const logs = places.filter((place) => place.startsWith('log ')).map((place) => Number(place.slice(4)));
  expect(logs.length).toBeGreaterThan(2);
  expect(logs).toEqual([...logs].sort((a, b) => a - b));
  await expect(section(drawer, /^What moved/)).toContainText(
    /[\d.,]+ USD (now|at the time|\(price date unknown\))/,
  );
  await expect(section(drawer, 'Network token')).toContainText('USD');

  // The input as it is.
  await expect(section(drawer, /^Input/)).toContainText('0x62448850');

  // Where it is from: the run that proved its block complete.
  await expect(section(drawer, 'Source of this data')).toContainText('had been fetched');

  // A name from the book is there at once, wherever the address is.
  const contract = drawer.getByRole('button', { name: 'Crosschain Messenger' }).first();
  await contract.click();
  await page.getByRole('menuitem', { name: 'Name this address…' }).click();
  const naming = page.getByRole('dialog', { name: 'Name an address' });
  await naming.getByLabel('Name', { exact: true }).fill('The bridge');
  await naming.getByRole('button', { name: 'Save name' }).click();
  await expect(drawer.getByRole('button', { name: /^The bridge/ }).first()).toBeVisible();

  // The row is hidden and shown again by the user's word.
  await drawer.getByRole('button', { name: 'Hide this row' }).click();
  await expect(drawer.getByRole('list', { name: 'Flags' })).toContainText('Hidden by you');
  await drawer.getByRole('button', { name: 'Undo hiding this row' }).click();
  await expect(drawer.getByRole('button', { name: 'Hide this row' })).toBeVisible();

  // The block by its number, and back.
  await drawer.getByRole('button', { name: Number(examples.blockId).toLocaleString('en-US') }).click();
  const block = page.getByRole('dialog', { name: /^Block / });
  const inBlock = block.getByRole('list', { name: 'Transactions in this block' });
  await expect(
    inBlock.getByRole('button', { name: `Open transaction ${hash.slice(0, 8)}…${hash.slice(-4)}` }),
  ).toBeVisible();

  // From there into the timeline of an address: nothing covers it any more.
  await inBlock
    .getByRole('button', { name: /^The bridge/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Show in the timeline' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Counterparty is The bridge', exact: true })).toBeVisible();
  await expect(app.timeline.getByRole('row').filter({ hasText: 'The bridge' }).first()).toBeVisible();
});

test('both halves of a cross-chain message lead to each other', async ({ running, service }) => {
  const { message } = service.ready.examples;
  const { page } = running;
  const app = new Watchkeeper(page);

  // The half that was sent: nothing here knows the other yet.
  await lookUp(page, message.sourceChainId, message.sourceTxHash, 'Look up transaction');
  const lookup = page.getByRole('dialog', { name: 'Transaction' });
  await expect(section(lookup, 'Cross-chain message')).toContainText('Sent from this chain');
  await expect(section(lookup, 'Cross-chain message')).toContainText(
    /Not found yet: the message was sent .* ago/,
  );
  await page.keyboard.press('Escape');

  await app.watchAddress(await messenger(service), 'Messenger');
  await page.getByRole('searchbox').fill(message.sourceTxHash);
  const rows = app.timeline.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Complete');
  const sent = (await rows.textContent()) ?? '';
  await page.getByRole('searchbox').fill(message.destinationTxHash);
  await expect(rows).not.toHaveText(sent);
  await expect(rows).toContainText('Complete');

  // The half that was received: the store knows the other by now, and opens it.
  await rows.click();
  const received = section(app.drawer.first(), 'Cross-chain message');
  await expect(received).toContainText('Received on this chain');
  await received.getByRole('button', { name: 'Open matching transaction' }).click();
  const other = page.getByRole('dialog', { name: 'Transaction' }).last();
  await expect(section(other, 'Cross-chain message')).toContainText('Sent from this chain');
  await expect(other).toContainText(message.sourceTxHash);
  await section(other, 'Cross-chain message')
    .getByRole('button', { name: 'Open matching transaction' })
    .click();
  await expect(section(other, 'Cross-chain message')).toContainText('Received on this chain');
  await other.getByRole('button', { name: 'Back' }).click();
  await expect(section(other, 'Cross-chain message')).toContainText('Sent from this chain');
});

test('what is not watched is looked up: contracts, transfers, blocks; and again offline, with all pages that were read', async ({
  profile,
  service,
}) => {
  const { examples } = service.ready;
  const { chainId, contracts, deployer, blockId } = examples;
  const transfersIn = (drawer: Locator) =>
    drawer.getByRole('list', { name: 'Token transfers' }).getByRole('button', { name: /^Open transaction/ });
  await profile.useService(service);
  const first = await profile.launch();
  let { page } = first;

  // A wallet is no token contract; what it deployed has the full record, and a stranger's text stays text.
  await lookUp(page, chainId, deployer.toLowerCase(), 'Look up address');
  let drawer = page.getByRole('dialog', { name: /^Address / });
  await expect(drawer.getByRole('heading', { name: 'The service has no record of this' })).toBeVisible();
  await drawer.getByText('Deployed contracts', { exact: true }).click();
  const deployed = drawer.getByRole('list', { name: 'Deployed contracts' });
  await expect(deployed).toContainText('<b>Free</b> claim-now.example');
  await deployed.getByText('More', { exact: true }).first().click();
  await expect(deployed).toContainText(/https:\/\/blog\.43114-\d+\.sample\.example/);
  await expect(drawer.locator('a, img, b')).toHaveCount(0);
  await expect(drawer).toContainText('(complete)');
  await page.keyboard.press('Escape');

  // A contract: the transfers of its token by kind, and the transaction that deployed it.
  for (const [contract, kind] of [
    [contracts.erc20, 'ERC-20'],
    [contracts.erc721, 'ERC-721'],
    [contracts.erc1155, 'ERC-1155'],
  ] as const) {
    await lookUp(page, chainId, contract, 'Look up address');
    await expect(drawer.getByRole('list', { name: 'Token transfers' })).toContainText(kind);
    await expect(transfersIn(drawer)).toHaveCount(50);
    await drawer.getByRole('button', { name: 'Fetch more' }).click();
    await expect.poll(() => transfersIn(drawer).count()).toBeGreaterThan(50);
    if (kind !== 'ERC-1155') await page.keyboard.press('Escape');
  }
  await drawer.getByText('Deployment', { exact: true }).click();
  await expect(drawer).toContainText('New contract');
  await expect(section(drawer, 'Network token')).toContainText(/[\d.]+ USD/);
  await page.keyboard.press('Escape');

  // A block, from it a transaction that is in no watched history, and back to the list as it was.
  await lookUp(page, chainId, blockId, 'Look up block');
  drawer = page.getByRole('dialog', { name: /^(Block|Transaction)/ });
  const inBlock = drawer.getByRole('list', { name: 'Transactions in this block' });
  await expect(inBlock).toBeVisible();
  await inBlock
    .getByRole('button', { name: /^Open transaction/ })
    .first()
    .click();
  await expect(drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
  await expect(section(drawer, 'Source of this data')).toContainText('not with an address’s history');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(inBlock).toBeVisible();
  await page.keyboard.press('Escape');

  // Without the service: what was looked at is there with its age, what was not says so.
  await first.quit();
  await service.stop();
  ({ page } = await profile.launch());
  await lookUp(page, chainId, contracts.erc20, 'Look up address');
  drawer = page.getByRole('dialog', { name: /^Address / });
  await expect(transfersIn(drawer)).toHaveCount(100);
  await expect(drawer).toContainText(/, stored /);
  await drawer.getByRole('button', { name: 'Fetch again' }).click();
  await expect(drawer).toContainText('No connection to the service');
  await expect(transfersIn(drawer)).toHaveCount(100);
  await page.keyboard.press('Escape');
  await lookUp(page, chainId, blockId, 'Look up block');
  drawer = page.getByRole('dialog', { name: /^(Block|Transaction)/ });
  await expect(drawer).toContainText(/, stored /);
  await drawer.getByRole('button', { name: 'Fetch again' }).click();
  await expect(drawer).toContainText('No connection to the service');
  await drawer
    .getByRole('button', { name: /^Open transaction/ })
    .first()
    .click();
  await expect(drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
  await expect(drawer).toContainText('an earlier response from the service');
  await page.keyboard.press('Escape');
  await lookUp(page, chainId, '12345', 'Look up block');
  await expect(
    drawer.getByRole('heading', { name: 'No connection to the service, and nothing is stored yet' }),
  ).toBeVisible();
});

test('the drawers of lookups can be used by everybody', async ({ running, service }) => {
  const { chainId, contracts, deployer, blockId, txHash } = service.ready.examples;
  const { page } = running;
  const drawer = page.getByRole('dialog');
  await command(page, 'Look up an address');
  await expectAccessible(page, 'Look up', drawer);
  await page.keyboard.press('Escape');
  await lookUp(page, chainId, deployer, 'Look up address');
  await drawer.getByText('Deployed contracts', { exact: true }).click();
  await drawer.getByText('More', { exact: true }).first().click();
  await expectAccessible(page, 'Deployed contracts', drawer);
  await page.keyboard.press('Escape');
  await lookUp(page, chainId, contracts.erc1155, 'Look up address');
  await drawer.getByRole('list', { name: 'Token transfers' }).waitFor();
  await expectAccessible(page, 'Token transfers', drawer);
  await page.keyboard.press('Escape');
  await lookUp(page, chainId, blockId, 'Look up block');
  await drawer.getByRole('list', { name: 'Transactions in this block' }).waitFor();
  await expectAccessible(page, 'Block', drawer);
  await page.keyboard.press('Escape');
  await lookUp(page, chainId, txHash, 'Look up transaction');
  await section(drawer, /^Input/)
    .getByRole('button', { name: 'Copy whole input' })
    .waitFor();
  await expectAccessible(page, 'Transaction', drawer);
  const named = drawer.getByRole('button', { name: /named by the service/ }).first();
  await named.press('Enter');
  await expectAccessible(page, 'Menu of an address');

  // The menu goes by Escape, the drawer stays, and the keyboard is where it was.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(named).toBeFocused();

  // From lookup to lookup and back by keys alone.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Address / })).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('dialog', { name: 'Transaction' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
