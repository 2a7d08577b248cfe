import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

test('a wrong address is refused in words, and a mistyped one gets its right spelling by one click', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const { address } = service.ready.examples;
  await app.go('Activity');
  await page.getByRole('button', { name: 'Watch an address' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Watch an address' });
  const field = dialog.getByLabel('Address', { exact: true });
  const submit = dialog.getByRole('button', { name: 'Watch address' });

  const refused = async (words: string | RegExp) => {
    await submit.click();
    await expect(field).toHaveAccessibleDescription(words);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  };
  await refused('Enter an address.');
  await field.fill('vitalik.eth');
  await refused('This isn’t an address. Enter 0x and 40 hexadecimal digits.');
  await field.fill(`${address}00`);
  await refused(/^This isn’t an address/);

  // One letter in the other case, as a slip of the hand makes it.
  const at = address.slice(2).search(/[a-f]/i) + 2;
  const mistyped = `${address.slice(0, at)}${swapCase(address.charAt(at))}${address.slice(at + 1)}`;
  await field.fill(mistyped);
  await refused(/Wrong checksum/);
  await expect(dialog.getByText(address, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Use corrected address' }).click();
  await expect(field).toHaveValue(address);
  await expect(field).toHaveAccessibleDescription('Checksum correct.');
  await dialog.getByLabel('Label').fill('Treasury');
  await submit.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('complementary', { name: 'Watched addresses' })).toContainText('Treasury');

  // The same once more, in another spelling.
  await page.getByRole('button', { name: 'Watch an address' }).first().click();
  await field.fill(`  ${address.toLowerCase()} `);
  await refused('You’re already watching this address as “Treasury”.');
});

test('a wrong URL of a node is refused in words', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await app.addNode('harbor-1', node.url);
  await page.getByRole('button', { name: 'Add a node' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a node' });
  const field = dialog.getByLabel('URL');
  const submit = dialog.getByRole('button', { name: 'Add node' });

  const cases: [url: string, words: string | RegExp][] = [
    ['', 'Enter the node’s URL.'],
    ['ftp://10.0.0.7:9650', 'Start the URL with http:// or https://.'],
    ['10.0.0.7:9650', 'Start the URL with http:// or https://.'],
    ['http://', 'Enter a valid URL.'],
    ['http://admin:secret@10.0.0.7:9650', /^Leave out the user name and password/],
    ['http://10.0.0.7:9650/?tag=x', /^Leave out “\?” or “#”/],
    ['http://10.0.0.7:9650/ext/health/other', /^Leave out \/ext\/health/],
  ];
  for (const [url, words] of cases) {
    await field.fill(url);
    await submit.click();
    await expect(field).toHaveAccessibleDescription(words);
  }
  // That it is there already is known only when it is to be added.
  await field.fill(`${node.url}/`);
  await submit.click();
  const refusal = dialog.getByRole('status').filter({ hasText: 'Check what you entered' });
  await expect(refusal).toContainText(/already/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('complementary', { name: 'Your nodes' }).getByRole('listitem')).toHaveCount(1);
});

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}
