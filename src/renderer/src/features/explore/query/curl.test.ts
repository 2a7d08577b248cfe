import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { RunSummary, RunTarget } from '../../../../../shared/explore/types.ts';
import { nodeCalls } from '../../../../../shared/health/node-calls.ts';
import { SampleRuns } from '../../../testing/sample-runs.ts';
import { curlOf, shellQuote } from './curl.ts';

const keyHeader = 'x-todays-key';

function runOf(target: RunTarget, asked: Partial<RunSummary>): RunSummary {
  return { ...new SampleRuns(0, () => undefined).start(target, 'one'), ...asked };
}

describe('curl', () => {
  it.each(["it's", '$(reboot)', '`id`', 'a b"c\\', "'; rm -rf x; '"])('quotes %s for a shell', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it('is the request that was made, whatever the service is today, with a placeholder for the key', () => {
    const target: RunTarget = {
      kind: 'endpoint',
      endpointId: 'icm-timeseries',
      params: { timeInterval: 'day' },
    };
    const asked = { baseUrl: 'https://metrics.example/below/a/path', headerNames: ['x-key-of-then'] };
    const url = "'https://metrics.example/below/a/path/v2/icm/timeseries?timeInterval=day'";
    expect(curlOf(runOf(target, asked), keyHeader)).toBe(`curl -sS -H 'x-key-of-then: <API_KEY>' ${url}`);
    expect(curlOf(runOf(target, { ...asked, headerNames: [] }), keyHeader)).toBe(`curl -sS ${url}`);
    expect(curlOf(runOf(target, { ...asked, headerNames: null }), keyHeader)).toContain(
      `'${keyHeader}: <API_KEY>'`,
    );
  });

  it('asks a node where it was then, with its headers, by GET with repeated tags, and by JSON-RPC', () => {
    const asked = { baseUrl: 'http://10.0.0.1:9650/', headerNames: ['authorization'] };
    const commands = nodeCalls.map(({ id: callId }) =>
      curlOf(runOf({ kind: 'node', nodeId: 'n', callId, tags: ['a', 'b'] }, asked), keyHeader),
    );
    expect(commands[0]).toBe(
      "curl -sS -H 'authorization: <VALUE>' 'http://10.0.0.1:9650/ext/health?tag=a&tag=b'",
    );
    expect(commands[4]).toContain("-H 'authorization: <VALUE>' -H 'content-type: application/json'");
    expect(commands[4]).toContain('"method":"health.health","params":{"tags":["a","b"]}');
    expect(commands[6]).not.toContain('tags');
  });
});
