import { describe, expect, it } from 'vitest';
import type { Alert, AlertMessage } from '../../../../shared/alerts/types.ts';
import { createMemoryStores } from '../testing/memory-stores.ts';

const alert = (key: string, startedAtMs: number, endedAtMs: number | null): Alert => ({
  ...{ key, level: 'tell', members: [], startedAtMs, endedAtMs, saidAtMs: null },
  ...{ acknowledgedAtMs: null, snoozedUntilMs: null, isHeld: false, named: [], flapping: 'no' },
});

const message = (id: string, state: 'waiting' | 'accepted'): AlertMessage => ({
  ...{
    id,
    alertKey: null,
    kind: 'begin',
    level: 'tell',
    atMs: 1,
    title: id,
    body: '',
    hidden: '',
    incident: null,
  },
  sent: [{ channel: 'system', state, atMs: null, error: null }],
});

describe.each(['node:sqlite', 'libsql'] as const)('stored alerts, with %s', (driver) => {
  it('are read while they are open, and for a time afterwards', async () => {
    const { alerts } = createMemoryStores([driver]);
    await alerts.put({ alerts: [alert('a', 1, null), alert('b', 2, 50), alert('c', 3, 90)], messages: [] });
    expect((await alerts.read(60)).map((one) => one?.key)).toEqual(['a', 'c']);
    await alerts.put({ alerts: [alert('a', 1, 95)], messages: [] });
    expect((await alerts.past(2)).map((one) => one?.key)).toEqual(['c', 'b']);
    expect(await alerts.past(10)).toHaveLength(3);
  });

  it('keep messages in their order until each is taken', async () => {
    const { alerts } = createMemoryStores([driver]);
    await alerts.put({ alerts: [], messages: [message('1', 'waiting'), message('2', 'waiting')] });
    await alerts.put({ alerts: [], messages: [message('3', 'waiting'), message('1', 'accepted')] });
    expect((await alerts.waiting()).map((one) => one?.id)).toEqual(['2', '3']);
    expect((await alerts.messages(2)).map((one) => one?.id)).toEqual(['3', '2']);
  });

  it('are kept whatever a node calls its checks', async () => {
    const { alerts } = createMemoryStores([driver]);
    const key = 'n1 disk a\0b\ud800"\\';
    for (const endedAtMs of [null, 5])
      await alerts.put({
        alerts: [alert(key, 1, endedAtMs)],
        messages: [message(`${key} begin `, 'waiting')],
      });
    expect(await alerts.past(10)).toEqual([alert(key, 1, 5)]);
    expect((await alerts.waiting()).map((one) => one?.id)).toEqual([`${key} begin `]);
  });

  it('that are open have their messages, however many came since', async () => {
    const { alerts } = createMemoryStores([driver]);
    const key = 'n1 disk a\0b\ud800"\\é';
    const own = { ...message('own', 'accepted'), alertKey: key };
    await alerts.put({ alerts: [alert(key, 1, null)], messages: [own] });
    const many = Array.from({ length: 1_000 }, (_, at) => message(`m${at}`, 'accepted'));
    await alerts.put({ alerts: [], messages: many });
    expect((await alerts.messages(2)).map((one) => one?.id)).toEqual(['m999', 'm998', 'own']);
    await alerts.put({ alerts: [alert(key, 1, 5)], messages: [] });
    expect((await alerts.messages(1_000)).map((one) => one?.id)).not.toContain('own');
  });

  it('are kept up to a number of each, but for what is open or waits', async () => {
    const { alerts } = createMemoryStores([driver]);
    await alerts.put({ alerts: [alert('open', 0, null)], messages: [message('waits', 'waiting')] });
    const many = Array.from({ length: 905 }, (_, at) => at + 1);
    await alerts.put({
      alerts: many.map((at) => alert(`a${at}`, at, at * 1_000_000)),
      messages: many.map((at) => message(`m${at}`, 'accepted')),
    });
    const keys = (await alerts.read(0)).map((one) => one?.key);
    expect([keys.length, keys[0], keys[1]]).toEqual([901, 'open', 'a6']);
    const ids = (await alerts.messages(1_000)).map((one) => one?.id);
    expect([ids.length, ids.at(-1), ids.at(-2)]).toEqual([901, 'waits', 'm6']);
    await alerts.put({ alerts: many.map((at) => alert(`b${at}`, at, 905_000_000)), messages: [] });
    // What ended within the last day is kept whatever its number.
    expect((await alerts.read(0)).map((one) => one?.key).filter((key) => key?.startsWith('b'))).toHaveLength(
      905,
    );
  });
});
