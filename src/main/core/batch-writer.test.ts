import { describe, expect, it } from 'vitest';
import { BatchWriter } from './batch-writer.ts';

/** A writer whose writes end when the test says so. */
function build() {
  const writes: (readonly number[])[] = [];
  const ends: { resolve: () => void; reject: (cause: Error) => void }[] = [];
  const writer = new BatchWriter<number>((items) => {
    writes.push(items);
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const end = async (failure?: Error) => {
    const write = ends.shift();
    if (failure === undefined) write?.resolve();
    else write?.reject(failure);
    await settle();
  };
  return { writer, writes, end, settle };
}

describe('BatchWriter', () => {
  it('writes the first item at once, and those that arrive meanwhile together and in order', async () => {
    const { writer, writes, end } = build();
    await writer.add(1);
    expect(writes).toEqual([[1]]);
    await writer.add(2);
    await writer.add(3);
    expect(writes).toEqual([[1]]);
    await end();
    expect(writes).toEqual([[1], [2, 3]]);
    await end();
    await writer.flush();
    await writer.add(4);
    expect(writes).toEqual([[1], [2, 3], [4]]);
  });

  it('makes who adds wait when eight items wait, until the next write takes them', async () => {
    const { writer, writes, end, settle } = build();
    await writer.add(0);
    for (let item = 1; item < 8; item += 1) await writer.add(item);
    let isThrough = false;
    const eighth = writer.add(8).then(() => (isThrough = true));
    await settle();
    expect(isThrough).toBe(false);
    await end();
    await eighth;
    expect(writes).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it('tells a failure to who waits for room', async () => {
    const { writer, end } = build();
    await writer.add(0);
    for (let item = 1; item < 8; item += 1) await writer.add(item);
    const eighth = writer.add(8);
    await Promise.all([expect(eighth).rejects.toThrow('full'), end(new Error('full'))]);
  });

  it('tells a failure to whoever adds or waits, and writes nothing any more', async () => {
    const { writer, writes, end } = build();
    await writer.add(1);
    await writer.add(2);
    await end(new Error('full'));
    await expect(writer.add(3)).rejects.toThrow('full');
    await expect(writer.flush()).rejects.toThrow('full');
    expect(writes).toEqual([[1]]);
  });
});
