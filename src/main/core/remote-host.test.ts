import { describe, expect, it } from 'vitest';
import { remoteHost } from './remote-host.ts';

describe('remoteHost', () => {
  it.each([
    ['http://127.0.0.1:9650', null],
    ['http://127.1.2.3', null],
    ['http://localhost:9650/path', null],
    ['http://node.localhost', 'node.localhost'],
    ['http://localhost.', 'localhost.'],
    ['http://LOCALHOST:1', null],
    ['http://0x7f.1:9650', null],
    ['not an address', null],
    ['http://[::1]:9650', null],
    ['http://[::ffff:7f00:1]:9650', null],
    ['http://[2001:db8::1]:9650/x', '[2001:db8::1]'],
    ['https://Node.Example/path', 'node.example'],
    ['http://127.0.0.1.example', '127.0.0.1.example'],
    ['http://192.168.1.7:9650', '192.168.1.7'],
  ])('%s: %s', (url, host) => {
    expect(remoteHost(url)).toBe(host);
  });
});
