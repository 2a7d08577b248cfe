import { describe, expect, it } from 'vitest';
import { AppFailure, err, ok, type Result } from '../../../../shared/errors.ts';
import { nodeLimits } from '../../../../shared/limits.ts';
import type { NodeFields } from '../../../../shared/ipc/contract.ts';
import * as fields from './node-fields.ts';
import { nodeFields } from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const tlsUrl = 'https://127.0.0.1:9650';
const print = Array.from({ length: 32 }, (_, index) => (index + 100).toString(16).toUpperCase()).join(':');
/** What the window would get. */
function outcome<T>(make: () => T): Result<T> {
  try {
    return ok(make());
  } catch (cause) {
    if (cause instanceof AppFailure) return err(cause.error);
    throw cause;
  }
}

const checkNodeFields = (...args: Parameters<typeof fields.checkNodeFields>) =>
  outcome(() => fields.checkNodeFields(...args));
const checkHeaders = (...args: Parameters<typeof fields.checkHeaders>) =>
  outcome(() => fields.checkHeaders(...args));
const check = (fields: Partial<NodeFields>) => checkNodeFields({ ...nodeFields(url), ...fields }, null, []);

const limits = nodeLimits.intervalMs;

describe('checkNodeFields', () => {
  it('names a node by its address, no longer than a name may be', () => {
    const long = `http://${'a'.repeat(60)}.example/${'b'.repeat(300)}`;
    expect(checkNodeFields({ ...nodeFields(long), name: '' }, null, [])).toMatchObject({
      value: { name: `${long.slice(7, 206)}…` },
    });
  });

  it('brings everything into its canonical form', () => {
    const checked = check({
      name: '  Mine ',
      url: ' HTTPS://[2001:DB8::1]:9651/nodes/7/ext/health ',
      tags: [' subnet1', 'subnet2', '', 'subnet1 '],
      certificate: ` sha256 Fingerprint=${print} `,
      headers: [{ name: ' X-Api-Key ', value: '\t secret two ' }],
      intervalMs: null,
      paused: true,
    });
    expect(checked).toEqual({
      ok: true,
      value: {
        name: 'Mine',
        url: 'https://[2001:db8::1]:9651/nodes/7',
        tags: ['subnet1', 'subnet2'],
        headers: [{ name: 'x-api-key', value: 'secret two' }],
        certificate: print,
        intervalMs: null,
        paused: true,
      },
    });
  });

  it('takes blanks for nothing, and the shortest and the longest interval', () => {
    for (const intervalMs of [limits.min, limits.max])
      expect(check({ name: ' ', certificate: ' ', intervalMs })).toMatchObject({
        value: { name: '127.0.0.1:9650', certificate: null, intervalMs },
      });
  });

  it.each<[string, Partial<NodeFields>, string, RegExp]>([
    ['no address', { url: ' ' }, 'url', /Enter the node’s URL/],
    ['a name and password in the address', { url: 'http://me:pw@node' }, 'url', /password/],
    [
      'a certificate that is none',
      { url: tlsUrl, certificate: 'AB:CD' },
      'certificate',
      /Enter a certificate \(PEM\) or its SHA-256 fingerprint/,
    ],
    ['a certificate without TLS', { certificate: print }, 'certificate', /https/],
    ['a tag with blanks', { tags: ['two words'] }, 'tags', /subnet ID/],
    ['a tag with a line break', { tags: ['a\nb'] }, 'tags', /subnet ID/],
    ['a tag in another alphabet', { tags: ['подсеть'] }, 'tags', /subnet ID/],
    ['a header', { headers: [{ name: 'host', value: 'x' }] }, 'headers', /host/],
  ])('refuses %s', (_what, fields, field, words) => {
    const refused = check(fields);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-params', issues: [field] } });
    if (!refused.ok) expect(refused.error.message).toMatch(words);
  });

  it('refuses the address of another node, and not its own', () => {
    const nodes = [
      { id: 'm', name: 'Another', url: `${url}/another` },
      { id: 'n', name: 'One', url },
    ];
    expect(checkNodeFields(nodeFields(`${url}/`), null, nodes)).toMatchObject({
      error: { message: 'You’re already watching this address as “One”.', issues: ['url'] },
    });
    expect(checkNodeFields(nodeFields(url), 'n', nodes)).toMatchObject({ ok: true });
  });
});

describe('checkHeaders', () => {
  it.each(['authorization', 'x-api-key', 'cf-access-client-id', 'x-forwarded-for', "odd!#$%&'*+.^_`|~"])(
    'takes %s',
    (name) => {
      expect(checkHeaders([{ name, value: 'v' }])).toEqual({ ok: true, value: [{ name, value: 'v' }] });
    },
  );

  it.each([
    // Who is asked, and how the message is framed, is the app's own to say.
    'Host',
    'content-length',
    'Content-Type',
    'Transfer-Encoding',
    'connection',
    'Cookie',
    'set-cookie',
    'expect',
    'upgrade',
    'te',
    'trailer',
    'keep-alive',
    'accept',
    'accept-encoding',
    'proxy-authorization',
    'sec-fetch-mode',
    'origin',
    'via',
  ])('leaves %s to the app', (name) => {
    expect(checkHeaders([{ name, value: 'v' }])).toMatchObject({
      ok: false,
      error: {
        code: 'invalid-params',
        issues: ['headers'],
        message: `Remove the header “${name.toLowerCase()}”: the app sets it itself.`,
      },
    });
  });

  it.each([
    ['', 'v', /name/],
    ['two words', 'v', /name/],
    ['x:y', 'v', /name/],
    ['x\r\nhost', 'v', /name/],
    ['x\u0000', 'v', /name/],
    ['ключ', 'v', /name/],
    ['x'.repeat(101), 'v', /name/],
    ['x', '', /no value/],
    ['x', '  ', /no value/],
    ['x', 'a\r\nhost: evil', /line breaks/],
    ['x', 'a\nb', /line breaks/],
    ['x', 'a\u0000', /line breaks/],
    ['x', 'ü', /ASCII/],
    ['x', 'a'.repeat(8_193), /only ASCII/],
  ])('refuses %j: %j', (name, value, words) => {
    const refused = checkHeaders([{ name, value }]);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-params', issues: ['headers'] } });
    if (!refused.ok) {
      expect(refused.error.message).toMatch(words);
      // The words go to the log and to the window.
      if (value.trim().length > 2) expect(JSON.stringify(refused)).not.toContain(value);
    }
  });

  it('refuses a name twice, however it is written', () => {
    const twice = [
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: null },
    ];
    expect(checkHeaders(twice)).toMatchObject({
      error: { message: 'The header “x-a” is listed twice.', issues: ['headers'] },
    });
  });

  it('takes several, without the blanks around their values', () => {
    const value = [
      { name: 'x-a', value: '1 2' },
      { name: 'x-b', value: null },
    ];
    expect(
      checkHeaders([
        { name: 'X-A', value: '  1 2\t ' },
        { name: 'x-b', value: null },
      ]),
    ).toEqual({
      ok: true,
      value,
    });
  });

  it('keeps null, which stands for the kept value', () => {
    expect(checkHeaders([{ name: 'x', value: null }])).toEqual({
      ok: true,
      value: [{ name: 'x', value: null }],
    });
  });
});
