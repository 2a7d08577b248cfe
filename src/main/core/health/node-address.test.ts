import { describe, expect, it } from 'vitest';
import { parseNodeUrl } from './node-address.ts';

describe('parseNodeUrl', () => {
  it.each([
    ['http://127.0.0.1:9650', 'http://127.0.0.1:9650'],
    ['  http://127.0.0.1:9650/  ', 'http://127.0.0.1:9650'],
    ['HTTPS://Node.Example/', 'https://node.example'],
    ['http://[::1]:9650', 'http://[::1]:9650'],
    ['http://[2001:DB8::1]/a/b//', 'http://[2001:db8::1]/a/b'],
    ['https://proxy.example/nodes/7', 'https://proxy.example/nodes/7'],
    ['http://localhost:80', 'http://localhost'],
    ['http://127.0.0.1:9650/ext/health', 'http://127.0.0.1:9650'],
    ['http://127.0.0.1:9650/ext/health/', 'http://127.0.0.1:9650'],
    ['http://127.0.0.1:9650/ext/health/readiness', 'http://127.0.0.1:9650'],
    ['http://127.0.0.1:9650/n1/ext/health/liveness', 'http://127.0.0.1:9650/n1'],
  ])('%j is %s', (text, url) => {
    expect(parseNodeUrl(text)).toEqual({ ok: true, value: url });
  });

  it.each([
    ['', /missing/],
    ['   ', /missing/],
    ['127.0.0.1:9650', /http:\/\//],
    ['localhost:9650', /http:\/\//],
    ['ftp://host', /http:\/\//],
    ['javascript:alert(1)', /http:\/\//],
    ['http://', /not an address/],
    ['http://:9650', /not an address/],
    ['http://host:99999', /not an address/],
    ['http://[::1', /not an address/],
    ['http://a b', /not an address/],
    ['http://user:secret@host:9650', /user name or password/],
    ['http://host:9650/?tag=1', /query/],
    ['http://host:9650/?', /query/],
    ['http://host:9650/#', /query/],
    ['http://host:9650/ext/health?tag=1', /query/],
  ])('%j is refused: %s', (text, words) => {
    const result = parseNodeUrl(text);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid-params', issues: ['url'] } });
    if (!result.ok) expect(result.error.message).toMatch(words);
  });
});
