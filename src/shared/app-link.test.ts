import { expect, it } from 'vitest';
import fc from 'fast-check';
import { everything, type ActivityFilter } from './activity/filter.ts';
import { parseAppLink, writeAppLink, type AppLink } from './app-link.ts';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const hash = `0x${'AB'.repeat(32)}`;
const nodeId = 'd6c8b1a2-1f7e-4c3b-9a55-0123456789ab';
const filter: ActivityFilter = {
  pills: [
    { field: 'address', not: false, values: [address] },
    { field: 'amount', not: true, min: '1.5', max: null, token: '43114 native' },
  ],
  text: 'rent & "more" – 100 %',
  showHidden: true,
};
const query = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`;
const transaction = { view: 'transaction', chainId: '43114', txHash: hash.toLowerCase() };

it.each([
  ['watchkeeper://nodes', { view: 'nodes' }],
  ['watchkeeper://nodes/', { view: 'nodes' }],
  ['watchkeeper://overview', { view: 'overview' }],
  ['watchkeeper://activity', { view: 'activity' }],
  [`watchkeeper://activity/${address}`, { view: 'address', address }],
  [`watchkeeper://activity/${address.toLowerCase()}/`, { view: 'address', address }],
  [`watchkeeper://transaction/43114/${hash}`, transaction],
  ['watchkeeper://incidents', { view: 'incidents' }],
  [`watchkeeper://nodes/${nodeId}`, { view: 'node', nodeId }],
  [`watchkeeper://incidents/${nodeId}/e-1`, { view: 'incident', nodeId, id: 'e-1', among: 'all' }],
  [`watchkeeper://nodes/${nodeId}/incidents/e-1/`, { view: 'incident', nodeId, id: 'e-1', among: 'node' }],
  [`watchkeeper://activity?${query('filter', everything)}`, { view: 'filtered', filter: everything }],
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
  ['a filter that is none', `watchkeeper://activity?${query('filter', { ...everything, add: 1 })}`],
  [
    'a filter of a field that is none',
    `watchkeeper://activity?${query('filter', { ...everything, pills: [{ field: 'key', not: false, values: ['x'] }] })}`,
  ],
  ['a filter that is cut', `watchkeeper://activity?${query('filter', everything).slice(0, -3)}`],
  ['a filter with half a letter', 'watchkeeper://activity?filter=%E0%A4'],
  ['a filter and more', `watchkeeper://activity?${query('filter', everything)}&add=1`],
  ['a filter of nodes', `watchkeeper://nodes?${query('filter', everything)}`],
  [
    'a form that is to be sent',
    `watchkeeper://explore?${query('form', { id: 'chain', values: {}, run: true })}`,
  ],
  [
    'a form of a query that cannot be',
    `watchkeeper://explore?${query('form', { id: '../chain', values: {} })}`,
  ],
  ['a node by a name', 'watchkeeper://nodes/harbor-1'],
  ['a flood', `watchkeeper://nodes/${'a'.repeat(1_000_000)}`],
])('%s leads nowhere', (_what, text) => {
  expect(parseAppLink(text)).toBeNull();
});

it.each([
  ['no id', `watchkeeper://incidents/${nodeId}`],
  ['ids that climb', `watchkeeper://incidents/${nodeId}/../../nodes`],
  ['an id that is markup', `watchkeeper://nodes/${nodeId}/incidents/<b>%00`],
  ['a flood', `watchkeeper://incidents/${nodeId}/${'a'.repeat(1_000_000)}`],
])('an incident with %s is none, and nothing of the link is left', (_what, text) => {
  expect(parseAppLink(text)).toEqual({ view: 'no-incident' });
});

it('a link leads to where it was made', () => {
  const links: AppLink[] = [
    { view: 'overview' },
    { view: 'incidents' },
    { view: 'filtered', filter },
    { view: 'address', address },
    { view: 'transaction', chainId: '43114', txHash: hash.toLowerCase() },
    { view: 'node', nodeId },
    { view: 'incident', nodeId, id: nodeId, among: 'all' },
    { view: 'incident', nodeId, id: nodeId, among: 'node' },
    { view: 'explore', form: { id: 'chain-transactions', values: { chainId: '43114', pageSize: "5'()" } } },
  ];
  for (const link of links) expect(parseAppLink(writeAppLink(link))).toEqual(link);
});

it('whatever is searched for comes through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const link: AppLink = { view: 'filtered', filter: { ...everything, text } };
      expect(parseAppLink(writeAppLink(link))).toEqual(link);
    }),
  );
});
