import { expect, it } from 'vitest';
import { listen } from './bridge.ts';
import { FakeBridge, installBridge } from './testing/fake-bridge.ts';
import { emptyWorld } from './testing/sample-world.ts';

it('a listener that fails keeps no event from the others, and is logged', () => {
  const bridge = new FakeBridge(emptyWorld(0));
  installBridge(bridge);
  const heard: unknown[] = [];
  listen('nodes.changed', () => {
    throw new TypeError('a defect');
  });
  listen('nodes.changed', (nodes) => heard.push(nodes));
  bridge.emit('nodes.changed', []);
  expect(heard).toEqual([[]]);
  expect(bridge.argsOf('app.drawingFailed')).toMatchObject([
    { where: 'nodes.changed', error: { name: 'TypeError' } },
  ]);
});
