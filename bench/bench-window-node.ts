import { filesIn } from '../src/main/adapters/storage/opening/files.ts';
import { openStoreIn } from './bench-harness.ts';
import { createNodePast, dayMs, days, hourMs, nodeOf, seedNode, yearStartMs } from './bench-node-history.ts';

const id = 'node-0';
const seededDays = 19;
const measuredDays = 16;
/** The user's time zone: a half-hour offset, so that no day of the user's equals a UTC day of the store. */
const zoneMs = 5.5 * hourMs;

/**
 * Writes the past of a node, with messages, into a profile; the node is paused, so that it is not polled meanwhile.
 * Returns days in the user's time zone.
 */
export async function storeNode(profileDir: string): Promise<{ id: string; fromMs: number; toMs: number }[]> {
  const empty = await openStoreIn(profileDir);
  await empty.health.putNode({ ...nodeOf(id), paused: true });
  await empty.close();
  // Until now, so that the app has drawn its newest day before another one is opened.
  const hours = Math.floor((Date.now() - yearStartMs) / hourMs);
  seedNode(filesIn(profileDir).store, id, days - seededDays, 1, hours);
  const store = await openStoreIn(profileDir);
  for (const poll of createNodePast(1)(hours, true).slice(0, 3)) {
    await store.health.recordPoll({ nodeId: id, ...poll, episodes: [] });
  }
  await store.close();
  return Array.from({ length: measuredDays }, (_value, index) => {
    const fromMs = yearStartMs + (days - seededDays + 1 + index) * dayMs - zoneMs;
    return { id, fromMs, toMs: fromMs + dayMs };
  });
}
