import { expect, it } from 'vitest';
import { everything } from '../../../shared/activity/filter.ts';
import { open } from '../testing/activity-lists.ts';

const never = Promise.withResolvers<never>().promise;

it('hidden rows go at once, without the wait for a burst of changes, and never beside pages of the other rows', async () => {
  const { list, bridge } = await open({ settle: () => never });
  expect(list.totalCount).toBe(850);
  // A place whose rows have not arrived.
  void list.look(400, 430);
  const asked = bridge.argsOf('activity.rows').length;
  void list.setFilter(everything);
  await expect.poll(() => list.totalCount).toBeLessThan(850);
  const [first] = bridge.argsOf('activity.rows').slice(asked);
  expect(first).toMatchObject({ filter: everything, offset: 350, limit: 200 });
});
