import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { sampleServiceProfile } from '../../../shared/settings.ts';
import { SampleProgram, type SampleProgramOptions } from './sample-program.ts';

const answer = {
  service: sampleServiceProfile,
  apiKey: 'sample-1',
  addresses: [{ address: '0x1', label: 'One' }],
};

type Fork = SampleProgramOptions['host']['fork'];

function setUp() {
  const child = Object.assign(new EventEmitter(), { kill: vi.fn<() => boolean>(() => true) });
  // Of Electron's overloads only these events are used.
  const fork = vi.fn<Fork>(() => child as unknown as ReturnType<Fork>);
  const onEnded = vi.fn<() => void>();
  const logged: string[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_event: string, cause: unknown) => {
      logged.push(String(cause));
      return 'ref-1';
    },
  };
  const program = new SampleProgram({
    host: { fork },
    file: '/app/out/sample-data/index.js',
    directory: '/profile/sample-data',
    log,
    onEnded,
  });
  return { child, fork, onEnded, logged, program };
}

describe('the program of the sample data', () => {
  it('gets the folder that it fills, and answers with what to use', async () => {
    const { child, fork, program, onEnded } = setUp();
    expect(fork.mock.calls[0]?.slice(0, 2)).toEqual([
      '/app/out/sample-data/index.js',
      ['/profile/sample-data'],
    ]);
    child.emit('message', answer);
    expect(await program.ready).toEqual(answer);
    expect(onEnded).not.toHaveBeenCalled();
    child.emit('exit', 1);
    expect(onEnded).toHaveBeenCalledOnce();
  });

  it.each<[string, (child: EventEmitter) => void, string]>([
    ['says so', (child) => child.emit('message', { failed: 'Error: no free port' }), 'Error: no free port'],
    ['ends early', (child) => child.emit('exit', 9), 'its program ended early (code 9).'],
    [
      'answers something else',
      (child) => child.emit('message', { ...answer, more: 1 }),
      'unexpected response',
    ],
    [
      'names a service that is none',
      (child) =>
        child.emit('message', { ...answer, service: { ...sampleServiceProfile, dataUrl: 'file:///etc' } }),
      'unexpected response',
    ],
  ])('fails in words, and in the log, when it %s', async (_what, happen, words) => {
    const { child, program, logged, onEnded } = setUp();
    happen(child);
    await expect(program.ready).rejects.toMatchObject({
      error: {
        code: 'internal',
        ref: 'ref-1',
        message: expect.stringMatching(/^The app couldn’t prepare the sample data: /) as string,
      },
    });
    expect(logged).toEqual([expect.stringContaining(words)]);
    child.emit('exit', 0);
    expect(logged).toHaveLength(1);
    expect(onEnded).not.toHaveBeenCalled();
  });

  it('is no failure when the app ends it', async () => {
    const { child, program, onEnded, logged } = setUp();
    child.emit('message', answer);
    await program.ready;
    program.end();
    expect(child.kill).toHaveBeenCalledOnce();
    child.emit('exit', 15);
    expect(onEnded).not.toHaveBeenCalled();
    expect(logged).toEqual([]);
  });
});
