import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import { Resource } from './resource.svelte.ts';

/** Questions whose answers come when the test gives them. */
function questions() {
  const given: { answer: (result: Result<string>) => void; signal: AbortSignal }[] = [];
  const ask = (signal: AbortSignal) =>
    new Promise<Result<string>>((answer) => void given.push({ answer, signal }));
  return { given, ask };
}

describe('a resource', () => {
  it('keeps what is known while newer of the same kind is on its way, and drops it for another kind', async () => {
    const resource = new Resource<string>();
    expect(await resource.load(() => Promise.resolve(ok('old')), 'day')).toBe('old');
    const { given, ask } = questions();
    const newer = resource.load(ask, 'day');
    expect([resource.value, resource.loading]).toEqual(['old', true]);
    given[0]?.answer(ok('new'));
    await newer;
    expect([resource.value, resource.loading]).toEqual(['new', false]);
    void resource.load(ask, 'week');
    expect(resource.value).toBeNull();
  });

  it('takes the answer to the last question only, and ends the signal of the one before', async () => {
    const resource = new Resource<string>();
    const { given, ask } = questions();
    const both = [resource.load(ask), resource.load(ask)];
    given[1]?.answer(ok('second'));
    given[0]?.answer(ok('first'));
    expect(await Promise.all(both)).toEqual([null, 'second']);
    expect(resource.value).toBe('second');
    expect(given.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('says why there is no answer, and keeps what was known', async () => {
    const resource = new Resource<string>();
    await resource.load(() => Promise.resolve(ok('known')));
    expect(await resource.load(() => Promise.resolve(err({ code: 'storage', message: 'busy' })))).toBeNull();
    expect([resource.value, resource.error?.code]).toEqual(['known', 'storage']);
    await resource.load(() => Promise.resolve(ok('again')));
    expect(resource.error).toBeNull();
  });

  it('is not changed by an answer that nobody waits for any more', async () => {
    const resource = new Resource<string>();
    const { given, ask } = questions();
    const loading = resource.load(ask);
    resource.stop();
    given[0]?.answer(ok('late'));
    await loading;
    expect([resource.value, resource.loading]).toEqual([null, false]);
  });
});
