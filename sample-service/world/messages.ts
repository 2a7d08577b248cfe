import { slotPlan } from './accounts.ts';
import type { Chain } from './chains.ts';
import type { World } from './world.ts';

/** Two chains between which messages go, in this direction. */
export interface Route {
  readonly source: Chain;
  readonly destination: Chain;
}

export function messageRoutes(world: World): Route[] {
  return world.chains.flatMap((source) =>
    source.partners.flatMap((index) => {
      const destination = world.chains[index];
      return destination === undefined ? [] : [{ source, destination }];
    }),
  );
}

/** How many messages left by a route from one time, inclusive, to another, exclusive; seconds since 1970. */
export function countMessages(
  world: World,
  { source, destination }: Route,
  from: number,
  to: number,
): number {
  const slot = slotPlan(source).firstOutgoing + source.partners.indexOf(destination.index);
  const head = world.headCount(source);
  const last = Math.ceil(world.timeline.positionAt(to));
  let count = 0;
  for (let epoch = Math.max(0, Math.floor(world.timeline.positionAt(from)) - 1); epoch <= last; epoch += 1) {
    const n = epoch * source.slotCount + slot;
    if (n >= head || !world.transactions.messageSent(source, destination, epoch)) continue;
    const at = world.timeline.blockSeconds(source, world.timeline.blockOf(source, n).block);
    if (at >= from && at < to) count += 1;
  }
  return count;
}

/** The newest message of a route that has arrived by now: the transactions that sent and received it, or null. */
export function newestDelivery(
  world: World,
  { source, destination }: Route,
): { sentN: number; receivedN: number } | null {
  const head = world.headCount(destination);
  const incoming = destination.partners.indexOf(source.index);
  for (let epoch = Math.floor(world.timeline.positionAt(world.nowSeconds())); epoch >= 0; epoch -= 1) {
    const receivedN = (epoch + 1) * destination.slotCount + incoming;
    if (receivedN >= head || !world.transactions.messageArrives(source, destination, epoch)) continue;
    const slot = slotPlan(source).firstOutgoing + source.partners.indexOf(destination.index);
    return { sentN: epoch * source.slotCount + slot, receivedN };
  }
  return null;
}
