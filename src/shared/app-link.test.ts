import { expect, it } from 'vitest';
import { parseAppLink } from './app-link.ts';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const hash = `0x${'AB'.repeat(32)}`;
const transaction = { view: 'transaction', chainId: '43114', txHash: hash.toLowerCase() };

it.each([
  ['watchkeeper://nodes', { view: 'nodes' }],
  ['watchkeeper://nodes/', { view: 'nodes' }],
  ['watchkeeper://overview', { view: 'overview' }],
  ['watchkeeper://activity', { view: 'activity' }],
  [`watchkeeper://activity/${address}`, { view: 'address', address }],
  [`watchkeeper://activity/${address.toLowerCase()}/`, { view: 'address', address }],
  [`watchkeeper://transaction/43114/${hash}`, transaction],
])('%s leads somewhere', (text, link) => {
  expect(parseAppLink(text)).toEqual(link);
});

it.each([
  ['nothing', ''],
  ['no view', 'watchkeeper://'],
  ['an unknown view', 'watchkeeper://wallet'],
  ['a view that would change something', 'watchkeeper://settings'],
  ['the name of what every object has', 'watchkeeper://constructor'],
  ['a view in capitals', 'watchkeeper://NODES'],
  ['more than the view', 'watchkeeper://nodes/add'],
  ['two slashes at the end', 'watchkeeper://nodes//'],
  ['an address of 39 digits', `watchkeeper://activity/${address.slice(0, -1)}`],
  ['an address of 41 digits', `watchkeeper://activity/${address}0`],
  ['an address with a mistyped capital', `watchkeeper://activity/${address.replace('dA', 'da')}`],
  ['a name in place of an address', 'watchkeeper://activity/vitalik.eth'],
  ['a list of addresses', `watchkeeper://activity/${address},${address}`],
  ['a transaction without its chain', `watchkeeper://transaction/${hash}`],
  ['a hash that is too short', 'watchkeeper://transaction/43114/0xab'],
  ['a chain that climbs', `watchkeeper://transaction/../${hash}`],
  ['a chain of 101 letters', `watchkeeper://transaction/${'1'.repeat(101)}/${hash}`],
  ['an encoded letter', 'watchkeeper://node%73'],
  ['an encoded slash', `watchkeeper://activity%2F${address}`],
  ['an encoded end', `watchkeeper://activity/${address}%00`],
  ['a line after the link', 'watchkeeper://nodes\n--inspect'],
  ['a space before it', ' watchkeeper://nodes'],
  ['a question', 'watchkeeper://nodes?add=http://127.0.0.1'],
  ['a fragment', 'watchkeeper://nodes#add'],
  ['a name and password', 'watchkeeper://a:b@nodes'],
  ['a port', 'watchkeeper://nodes:80'],
  ['letters that look like others', 'watchkeeper://nоdes'],
  ['the scheme in capitals', 'WATCHKEEPER://nodes'],
  ['a scheme that begins like ours', 'watchkeepers://nodes'],
  ['another scheme', 'https://nodes'],
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['a flood', `watchkeeper://nodes/${'a'.repeat(1_000_000)}`],
])('%s leads nowhere', (_what, text) => {
  expect(parseAppLink(text)).toBeNull();
});
