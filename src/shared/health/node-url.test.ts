import { describe, expect, it } from 'vitest';
import { parseNodeUrl } from './node-url.ts';

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
    ['http://127.0.0.1:9650/ext/health/liveness/', 'http://127.0.0.1:9650'],
    ['http://127.0.0.1:9650/ext/health//', 'http://127.0.0.1:9650'],
  ])('%j is %s', (text, url) => {
    expect(parseNodeUrl(text)).toEqual({ url, problem: null });
  });

  it.each([
    ['', /Enter the node’s URL/],
    ['   ', /Enter the node’s URL/],
    ['127.0.0.1:9650', /Start the URL with http/],
    ['localhost:9650', /Start the URL with http/],
    ['ftp://host', /Start the URL with http/],
    ['javascript:alert(1)', /Start the URL with http/],
    ['http://', /valid URL/],
    ['http://:9650', /valid URL/],
    ['http://host:99999', /valid URL/],
    ['http://[::1', /valid URL/],
    ['http://a b', /valid URL/],
    ['http://user:secret@host:9650', /user name and password/],
    ['http://host:9650/?tag=1', /and everything after it/],
    ['http://host:9650/?', /and everything after it/],
    ['http://host:9650/#', /and everything after it/],
    ['http://host:9650/ext/health/other', /Leave out \/ext\/health/],
    ['http://host:9650/EXT/health', /Leave out \/ext\/health/],
    ['http://host:9650/ext/health?tag=1', /and everything after it/],
  ])('%j is refused: %s', (text, words) => {
    expect(parseNodeUrl(text)).toEqual({ url: null, problem: expect.stringMatching(words) });
  });
});
