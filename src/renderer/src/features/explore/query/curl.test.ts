import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../../../shared/endpoints/registry.ts';
import { nodeCalls } from '../../../../../shared/health/node-calls.ts';
import { sampleServiceProfile } from '../../../../../shared/settings.ts';

import { endpointCurl, nodeCurl, shellQuote } from './curl.ts';

describe('curl', () => {
  it.each(["it's", '$(reboot)', '`id`', 'a b"c\\', "'; rm -rf x; '"])('quotes %s for a shell', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it('shows a placeholder for the key, and the origin that was asked', () => {
    const params = { chainId: '43114', txHash: `0x${'a'.repeat(64)}` };
    expect(endpointCurl(endpoints.transaction, params, sampleServiceProfile, null)).toBe(
      `curl -sS -H 'x-service-api-key: <API_KEY>' 'http://127.0.0.1:7650/v1/chains/43114/transactions/0x${'a'.repeat(64)}'`,
    );
    expect(
      endpointCurl(endpoints.transaction, params, sampleServiceProfile, 'https://other.example'),
    ).toContain("'https://other.example/v1/");
  });

  it('asks a node by GET with repeated tags, and by JSON-RPC', () => {
    const commands = nodeCalls.map((call) => nodeCurl(call, 'http://10.0.0.1:9650/', ['a', 'b']));
    expect(commands[0]).toBe("curl -sS 'http://10.0.0.1:9650/ext/health?tag=a&tag=b'");
    expect(commands[4]).toContain('"method":"health.health","params":{"tags":["a","b"]}');
    expect(commands[6]).not.toContain('tags');
  });
});
