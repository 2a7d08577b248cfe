import { expect, it, vi } from 'vitest';
import { Broadcaster } from '../src/main/ipc/broadcast.ts';
import { everything } from '../src/shared/activity/filter.ts';
import { addresses } from './service-answers.ts';
import { historyOf } from './seeds.ts';
import type { ServiceTruth } from './service-truth.ts';
import { World } from './world.ts';

/** The whole app in a world where nothing happens by itself. */
async function build() {
  const history = { ...historyOf('4'), latencyMs: 20, happenings: [] };
  const world = new World(history, () => undefined, ['no-block']);
  const { machine, time } = world;
  const pass = async (ms: number): Promise<void> => {
    const untilMs = time.nowMs + ms;
    while (time.nowMs < untilMs) await world.step(untilMs);
  };
  const done = async <T>(promise: Promise<T>): Promise<T> => {
    const state = { isDone: false };
    const end = (): void => void (state.isDone = true);
    promise.then(end, end);
    while (!state.isDone) await pass(1);
    return await promise;
  };
  machine.start();
  await pass(2_000);
  const { app } = machine;
  if (app === null) throw new Error('not started');
  return { world, machine, app, pass, done };
}

it('a node that is removed just before the app ends is gone, however far its poll is', async () => {
  const wrong: number[] = [];
  for (let afterMs = 0; afterMs <= 120; afterMs += 10) {
    const { world, machine, app, pass, done } = await build();
    const fields = { name: '', intervalMs: 30_000, tags: [], headers: [], certificate: null, paused: false };
    const added = await done(app.invoke('nodes.add', { ...fields, url: world.nodes[0]?.url ?? '' }));
    if (!added.ok) throw new Error('not added');
    await pass(60_000);
    machine.storeTakesMs.nodes = 30;
    while (app.services().nodes.list()[0]?.polling !== true) await pass(1);
    await pass(afterMs);
    void app.invoke('nodes.remove', { id: added.value.id });
    await done(machine.quit());
    if (machine.nodeStore.all('SELECT node_id FROM health_node').length > 0) wrong.push(afterMs);
  }
  expect(wrong).toEqual([]);
});

it('what is still asked of a service that was left does not reach the window', async () => {
  const { machine, app, pass, done } = await build();
  const [address] = addresses;
  const added = await done(app.invoke('watchlist.add', { address, label: null }));
  expect(added.ok).toBe(true);
  await pass(1_000);
  const { watchlist: left } = app.services();
  await done(app.invoke('settings.update', { service: machine.profile(1) }));
  await pass(5_000);
  expect(app.window()?.watchlist).toEqual([]);
  await done(left.refreshChains(address).catch(() => null));
  await pass(1_000);
  expect(left.views()).toHaveLength(1);
  expect(app.window()?.watchlist).toEqual([]);
});

it('says that the addresses are others once another service is open: the tray shows the newest at these', async () => {
  const { machine, app, pass, done } = await build();
  const [address] = addresses;
  const use = (which: number) => done(app.invoke('settings.update', { service: machine.profile(which) }));
  const newest = () => done(app.services().alerts.newest());
  expect((await done(app.invoke('watchlist.add', { address, label: null }))).ok).toBe(true);
  await pass(60_000);
  const first = await newest();
  expect(first).not.toBeNull();
  await use(1);
  await pass(60_000);
  expect(await newest()).toBeNull();
  const shown: Promise<unknown>[] = [];
  const send = vi.spyOn(Broadcaster.prototype, 'send').mockImplementation((event) => {
    if (event === 'watchlist.changed') shown.push(app.services().alerts.newest());
  });
  await use(0);
  // Before anything is asked of the service.
  await pass(500);
  expect((await done(Promise.all(shown))).at(-1)).toEqual(first);
  send.mockRestore();
});

it('an address that is removed just before another service is chosen is gone with its rows', async () => {
  const { world, machine, app, pass, done } = await build();
  const [address] = addresses;
  expect((await done(app.invoke('watchlist.add', { address, label: null }))).ok).toBe(true);
  await pass(1_000);
  expect((await done(app.invoke('watchlist.remove', { address, keepData: false }))).ok).toBe(true);
  const left = machine.chainStore(world.serviceInUse?.url ?? '');
  const count = () => Number(left.get('SELECT count(*) AS n FROM activity_row')?.['n']);
  expect(count()).toBeGreaterThan(0);
  await done(app.invoke('settings.update', { service: machine.profile(1) }));
  await pass(5_000);
  expect(app.window()?.settings.service).toEqual(machine.profile(1));
  expect(count()).toBe(0);
});

/** Details get this answer unless they are asked for with the header. */
function refuseDetails(
  { serviceInUse: service }: World,
  header: string,
  refusal: ReturnType<ServiceTruth['answer']>,
): ServiceTruth {
  if (service === undefined) throw new Error('no service');
  const answer = service.answer.bind(service);
  vi.spyOn(service, 'answer').mockImplementation((request) =>
    /\/transactions\/0x/.test(request.url) && request.headers[header] === undefined
      ? refusal
      : answer(request),
  );
  return service;
}

it('lists and completion that waited for a key go on with another one', async () => {
  const { world, app, pass, done } = await build();
  const [address] = addresses;
  const service = refuseDetails(world, 'x-service-api-key', {
    status: 401,
    headers: {},
    body: '{"message":"no key"}',
  });
  const asked = (): number => [...service.pagesAsked.values()].reduce((sum, count) => sum + count, 0);
  const { completion } = app.services();
  await done(app.invoke('settings.update', { activityCheckMinutes: 0 }));
  expect((await done(app.invoke('watchlist.add', { address, label: null }))).ok).toBe(true);
  await pass(120_000);
  await done(app.invoke('activity.completeAll', { filter: everything, run: true }));
  await pass(60_000);
  expect(completion.status().error?.code).toBe('no-secret');
  const before = asked();
  await pass(60_000);
  expect(asked()).toBe(before);
  await done(app.invoke('secret.set', { key: 'another', storage: 'session' }));
  await pass(60_000);
  expect(asked()).toBeGreaterThan(before);
  expect(completion.status().error).toBe(null);
});

it('a key that the service refused is not called refused once it is replaced, though nothing is asked any more', async () => {
  const { world, app, pass, done } = await build();
  const service = world.serviceInUse;
  if (service === undefined) throw new Error('no service');
  vi.spyOn(service, 'answer').mockReturnValue({
    status: 401,
    headers: {},
    body: '{"message":"no such key"}',
  });
  const refusals = () => [app.window()?.connection.error?.code, app.services().alerts.openCount()];
  await done(app.invoke('secret.set', { key: 'mistyped', storage: 'session' }));
  await done(app.invoke('secret.test', undefined));
  await pass(60_000);
  expect(refusals()).toEqual(['unauthorized', 1]);
  await done(app.invoke('secret.set', { key: 'another', storage: 'session' }));
  await pass(60_000);
  expect(refusals()).toEqual([undefined, 0]);
});

it('a service that could not be reached is asked again as soon as the user chooses another proxy', async () => {
  const { world, app, pass, done } = await build();
  const [address] = addresses;
  const service = world.serviceInUse;
  if (service === undefined) throw new Error('no service');
  await done(app.invoke('settings.update', { activityCheckMinutes: 0 }));
  const answers = vi.spyOn(service, 'answer').mockReturnValue({ status: 502, headers: {}, body: '' });
  expect((await done(app.invoke('watchlist.add', { address, label: null }))).ok).toBe(true);
  await pass(3_600_000);
  answers.mockRestore();
  const chains = () => app.services().watchlist.views()[0]?.chains.length;
  await pass(60_000);
  expect(chains()).toBe(0);
  await done(app.invoke('settings.update', { proxy: 'none' }));
  await pass(5_000);
  expect(chains()).toBeGreaterThan(0);
});

it('what waited for a limit goes on once the key is sent in the right header', async () => {
  const { world, machine, app, pass, done } = await build();
  const [address] = addresses;
  refuseDetails(world, 'x-right', { status: 429, headers: { 'retry-after': '3600' }, body: '' });
  const { completion } = app.services();
  await done(app.invoke('secret.set', { key: 'a-key', storage: 'session' }));
  expect((await done(app.invoke('watchlist.add', { address, label: null }))).ok).toBe(true);
  await pass(120_000);
  await done(app.invoke('activity.completeAll', { filter: everything, run: true }));
  await pass(60_000);
  expect(completion.status().error?.code).toBe('rate-limited');
  await done(app.invoke('settings.update', { service: { ...machine.profile(0), keyHeader: 'x-right' } }));
  await pass(60_000);
  expect(completion.status().error).toBe(null);
});

it('the index of rows is loaded soon after the window has read rows, and not before', async () => {
  const { world, machine, app, pass, done } = await build();
  const [address] = addresses;
  expect((await done(app.invoke('watchlist.add', { address, label: null }))).ok).toBe(true);
  const get = vi.spyOn(machine.chainStore(world.serviceInUse?.url ?? ''), 'get');
  const isLoaded = (): boolean => get.mock.calls.some(([sql]) => sql.includes('ORDER BY id LIMIT'));
  await pass(30_000);
  expect(isLoaded()).toBe(false);
  await done(app.invoke('activity.rows', { filter: everything, offset: 0, anchor: null, limit: 5 }));
  expect(isLoaded()).toBe(false);
  await pass(4_000);
  expect(isLoaded()).toBe(true);
});
