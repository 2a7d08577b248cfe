import { everything, type ActivityFilter } from '../../../shared/activity/filter.ts';
import type { ReadableRow } from '../../../shared/activity/types.ts';
import { ActivityList } from '../state/activity-list.ts';
import { FakeBridge, installBridge } from './fake-bridge.ts';
import { testNowMs } from './render.ts';
import { fullWorld, type World } from './sample-world.ts';

/** A list on the screen over the sample world, for its tests. */

export const withHidden: ActivityFilter = { ...everything, showHidden: true };

export async function open(
  {
    replaceRows,
    ...options
  }: ConstructorParameters<typeof ActivityList>[0] & {
    replaceRows?: Parameters<ActivityList['show']>[0];
  } = {},
  filter: ActivityFilter = withHidden,
  prepare: (world: World) => void = () => undefined,
) {
  const world = fullWorld(testNowMs);
  prepare(world);
  const bridge = new FakeBridge(world);
  installBridge(bridge);
  const list = new ActivityList(options);
  const hide = list.show(replaceRows);
  await list.setFilter(filter);
  const calls = () => bridge.argsOf('activity.rows').length;
  return { list, world, bridge, calls, hide };
}

export const shown = (list: ActivityList, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => list.at(from + index)?.id ?? null);
export const stored = (world: World, from: number, to: number) =>
  world.rows.slice(from, to).map(({ id }) => id);

/** New rows as the sync of another chain brings them: anywhere in time. */
export function insertAt(world: World, index: number, count: number): void {
  const like = world.rows[index];
  if (like === undefined) throw new Error('no such row');
  const added = Array.from({ length: count }, (_, n): ReadableRow => ({
    ...like,
    id: 90_000_000 + index * 1_000 + n,
    txHash: `0xnew${index}-${n}`,
  }));
  world.rows.splice(index, 0, ...added);
}
