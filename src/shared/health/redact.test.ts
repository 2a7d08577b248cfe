import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const id = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5';

describe('createRedactor', () => {
  it.each([
    ['Get "https://user:pw@secret.example:9650/ext?x=1": refused', 'Get "[address 1]": refused'],
    ['dial tcp 192.168.1.20:9651: i/o timeout', 'dial tcp [address 1]: i/o timeout'],
    ['dial tcp [fe80::1%eth0]:9651: refused', 'dial tcp [address 1]: refused'],
    ['from 2001:db8::8a2e:370:7334 and ::1', 'from [address 1] and [address 2]'],
    ['at 12:30:05 it failed', 'at 12:30:05 it failed'],
    ['lookup my-node.internal on 10.0.0.2:53', 'lookup [address 2] on [address 1]'],
    ['write to ops@secret.example', 'write to [address 1]'],
    ['open /home/alice/.avalanchego/db: no space', 'open [path 1]: no space'],
    ['open C:\\Users\\alice\\db: no', 'open [path 1]: no'],
    ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg is gone', '[node 1] is gone'],
    [`chain ${id} is behind, ${id} again`, 'chain [id 1] is behind, [id 1] again'],
    ['to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'to [id 1]'],
    ['P-avax1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnf8wkdw', '[address 1]'],
    ['on localhost:9650', 'on [address 1]'],
    ['cut in the middle: 192.168.1…', 'cut in the middle: [address 1]…'],
    [`cut in the middle: ${id.slice(0, 12)}…`, 'cut in the middle: [id 1]'],
    [`${id.slice(0, 8)}…${id.slice(-5)} by its ends`, '[id 1] by its ends'],
    ['cut in the middle: secret.exampl…', 'cut in the middle: [address 1]'],
    ['not yet run after 54m47.7s, 98.77%', 'not yet run after 54m47.7s, 98.77%'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(createRedactor([])(text)).toBe(expected);
  });

  it('takes out the names that people gave, in any case and with any sign', () => {
    const redact = createRedactor(['My node', 'my node (home) [1]', 'x', 'n1', ' ', 'a-b/c']);
    expect(redact('MY NODE (home) [1] and my node')).toBe('[name 1] and [name 2]');
    expect(redact('A-B/C')).toBe('[name 3]');
    expect(redact('n1 is not n10 nor xn1; x stays')).toBe('[name 4] is not n10 nor xn1; x stays');
  });

  it('does not find a name in what it has put in', () => {
    expect(createRedactor(['address', 'name'])('http://a.b the address')).toBe('[address 1] the [name 1]');
  });

  it('is quick with a long text that nearly is an address', () => {
    const redact = createRedactor(['a'.repeat(50)]);
    for (const text of [
      'a.'.repeat(100_000),
      '1:'.repeat(100_000),
      '@'.repeat(100_000),
      '/'.repeat(100_000),
      'a-'.repeat(100_000),
    ]) {
      expect(redact(text.slice(0, 8_192)).length).toBeLessThan(20_000);
    }
  });
});
