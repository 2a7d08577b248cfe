import { expect, it } from 'vitest';
import { err, type Result } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld } from '../testing/sample-world.ts';
import { Explore } from './explore.svelte.ts';

it('that a query could not be stopped is not shown beside another one', async () => {
  const bridge = new FakeBridge(fullWorld(testNowMs));
  installBridge(bridge);
  const answer = Promise.withResolvers<Result<null>>();
  bridge.answer('runs.cancel', () => answer.promise);
  const explore = new Explore();
  await explore.ask({ kind: 'endpoint', endpointId: 'latest-transactions', params: {} }, 'one');
  const cancelling = explore.cancel();
  await explore.ask({ kind: 'endpoint', endpointId: 'latest-transactions', params: {} }, 'one');
  answer.resolve(err({ code: 'not-found', message: 'no such query' }));
  await cancelling;
  expect(explore.error).toBeNull();
});
