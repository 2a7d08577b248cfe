import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { call, post } from './testing.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

function run(...args: string[]) {
  return spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

// Starting Node takes most of a second on a busy machine.
describe('the sample service as a process', () => {
  it('prints one line when ready, serves, and ends cleanly on SIGTERM with requests open', async () => {
    const child = run('--port', '0', '--seed', '1', '--now', '1780000000');
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => lines.push(line));
    await once(reader, 'line');
    const ready: { dataUrl: string; controlUrl: string; examples: { chainId: string } } = JSON.parse(
      lines[0] ?? '',
    );
    expect((await call(`${ready.dataUrl}/v1/chains/${ready.examples.chainId}/transactions`)).status).toBe(
      200,
    );
    await post(`${ready.controlUrl}/addFault`, [{ action: { kind: 'hang' } }]);
    const hung = call(`${ready.dataUrl}/v1/chains/${ready.examples.chainId}/transactions`);
    const hungEnded = expect(hung).rejects.toThrow();
    await expect.poll(async () => (await post(`${ready.controlUrl}/requests`, [])).text).toContain('"hang"');
    child.kill('SIGTERM');
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    await hungEnded;
    expect([code, signal, lines.length]).toEqual([0, null, 1]);
  });

  it('starts a node for each scenario that it is told', async () => {
    const child = run('--nodes', 'flapping,healthy', '--scale', '0.01');
    const reader = createInterface({ input: child.stdout });
    const [line] = (await once(reader, 'line')) as [string];
    const ready: { nodes: { name: string; url: string }[] } = JSON.parse(line);
    expect(ready.nodes.map((node) => node.name)).toEqual(['flapping', 'harbor-1']);
    const [first, second] = await Promise.all(
      ready.nodes.map((node) => call(`${node.url}/ext/health/liveness`)),
    );
    expect(first?.headers.get('node-id')).not.toBe(second?.headers.get('node-id'));
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('says which port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : address);
    const child = run('--port', port, '--scale', '0.01');
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    taken.close();
    expect([code, text]).toEqual([
      1,
      `sample service: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    ]);
  });

  it('explains mistakes on the command line', async () => {
    const mistakes = [
      ['--port', 'x'],
      ['--scale', '0'],
      ['--names', 'other'],
      ['--nodes', 'nobody'],
      ['--nodes', 'nowhere.json'],
      ['--nonsense'],
    ];
    await Promise.all(
      mistakes.map(async (args) => {
        const child = run(...args);
        let text = '';
        child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        const [code] = (await once(child, 'close')) as [number | null];
        expect(code).toBe(2);
        expect(text).toContain(args[0] ?? '');
        expect(text).toContain('Usage:');
      }),
    );
  });
});
