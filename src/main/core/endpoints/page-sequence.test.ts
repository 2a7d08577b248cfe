import { describe, expect, it } from 'vitest';
import { PageSequence, type PageCall } from './page-sequence.ts';

interface Asked extends PageCall {
  answer: (page: string) => void;
  fail: (cause: Error) => void;
}

/** A sequence whose calls are answered when the test says so. */
function build(token: string | null = null) {
  const asked: Asked[] = [];
  const outer = new AbortController();
  const pages = new PageSequence<string>(token, outer.signal, (call) => {
    return new Promise<string>((answer, fail) => {
      asked.push({ ...call, answer, fail });
    });
  });
  const at = (index: number): Asked => {
    const call = asked[index];
    if (call === undefined) throw new Error(`there are only ${asked.length} calls`);
    return call;
  };
  const tokens = () => asked.map((call) => call.token);
  return { pages, asked, at, tokens, outer };
}

const always = () => true;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('PageSequence', () => {
  it('asks for the next page as soon as its token is known, before the page is read', async () => {
    const { pages, at, tokens } = build('t0');
    expect(tokens()).toEqual(['t0']);
    const page = pages.read(always);
    at(0).onNextToken('t1');
    await settle();
    expect(tokens()).toEqual(['t0', 't1']);
    at(0).answer('page 0');
    expect(await page).toBe('page 0');
    expect(pages.goOn('t1')).toBeNull();
    expect(tokens()).toEqual(['t0', 't1']);
  });

  it('is never more than one page ahead, however early the answers come', async () => {
    const { pages, at, tokens } = build();
    const page = pages.read(always);
    at(0).onNextToken('t1');
    await settle();
    at(1).onNextToken('t2');
    at(1).answer('page 1');
    await settle();
    expect(tokens()).toEqual([null, 't1']);
    at(0).answer('page 0');
    await page;
    await settle();
    expect(tokens()).toEqual([null, 't1']);
    void pages.goOn('t1');
    expect(await pages.read(always)).toBe('page 1');
    expect(tokens()).toEqual([null, 't1', 't2']);
  });

  it('waits for the page where its token may not be followed or is not known at first sight', async () => {
    const { pages, at, tokens } = build();
    const first = pages.read((token) => token !== 't1');
    at(0).onNextToken('t1');
    at(0).answer('page 0');
    await first;
    expect(tokens()).toEqual([null]);
    expect(pages.goOn('t1')).toBeNull();
    const second = pages.read(always);
    at(1).onNextToken(null);
    at(1).answer('page 1');
    await second;
    expect(tokens()).toEqual([null, 't1']);
    void pages.goOn('t2');
    expect(tokens()).toEqual([null, 't1', 't2']);
  });

  it('gives up a page that was asked for by a wrong token, and tells what came of it', async () => {
    const { pages, at, tokens } = build();
    const first = pages.read(always);
    at(0).onNextToken('wrong');
    await settle();
    at(0).answer('page 0');
    await first;
    const vain = pages.goOn('right');
    expect(at(1).signal.aborted).toBe(true);
    expect(tokens()).toEqual([null, 'wrong', 'right']);
    expect(at(2).signal.aborted).toBe(false);
    at(1).answer('cancelled');
    expect(await vain).toBe('cancelled');
    const second = pages.read(always);
    at(2).answer('page 1');
    expect(await second).toBe('page 1');
  });

  it('gives up the page ahead when the list ends', async () => {
    const { pages, at, tokens } = build();
    const first = pages.read(always);
    at(0).onNextToken('t1');
    await settle();
    at(0).answer('page 0');
    await first;
    void pages.goOn(null);
    expect(at(1).signal.aborted).toBe(true);
    expect(tokens()).toEqual([null, 't1']);
  });

  it('keeps the failure of a page that was asked for ahead until that page is read', async () => {
    const { pages, at } = build();
    const first = pages.read(always);
    at(0).onNextToken('t1');
    await settle();
    at(1).fail(new Error('page 1 is broken'));
    await settle();
    at(0).answer('page 0');
    expect(await first).toBe('page 0');
    void pages.goOn('t1');
    await expect(pages.read(always)).rejects.toThrow('page 1 is broken');
  });

  it('ends both requests when it is stopped, or when its own signal is aborted', async () => {
    for (const how of ['stop', 'signal'] as const) {
      const { pages, at, outer } = build();
      void pages.read(always);
      at(0).onNextToken('t1');
      await settle();
      if (how === 'stop') pages.stop();
      else outer.abort();
      expect([at(0).signal.aborted, at(1).signal.aborted]).toEqual([true, true]);
    }
  });
});
