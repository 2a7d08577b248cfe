// The app without a window beside the real node: it tells a death and a return once each, also over a kill of the app.
import { setTimeout as wait } from 'node:timers/promises';
import { NotificationServer } from '../notification-server.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { Profile, RunningApp } from '../running-app.ts';
import type { Protocol } from './protocol.ts';
import { RealNode, type NodePlace } from './real-node.ts';

/** The default threshold without an answer, and at most 2 s more; a return counts after 2 passing runs of 30 s. */
const bounds = { deathS: 92, returnS: 125 };
/** A node is healthy within this time after its start. */
const healthyWithinMs = 120_000;
/** Everything that is told twice is told within this time. */
const twiceWithinMs = 40_000;

export async function withoutWindow(protocol: Protocol, profile: Profile, place: NodePlace): Promise<void> {
  const step = 'without a window';
  const server = await NotificationServer.start();
  let node = RealNode.start(place);
  // A node alone also has no peers, which is told as well.
  const notified = () => server.notified.filter(({ title }) => /isn’t responding|ended after/.test(title));
  try {
    const first = await profile.launch({ env: server.env });
    const app = new Watchkeeper(first.page);
    await app.addNode('alone', `http://127.0.0.1:${place.httpPort}`);
    await app.nodeState('alone').getByText('Healthy').first().waitFor({ timeout: healthyWithinMs });
    await close(first);

    const diedAtMs = Date.now();
    node.kill();
    await told(1, 2 * bounds.deathS);
    const words = said(0);
    protocol.measured(`${step}: death`, (Date.now() - diedAtMs) / 1_000, bounds.deathS, 's', words);

    await first.kill();
    const second = await profile.launch({ env: server.env });
    await close(second);
    await wait(twiceWithinMs);
    protocol.measured(`${step}: killed`, notified().length, 1, 'notifications', 'after the next start');

    node = RealNode.start(place);
    await node.answers();
    const answersAtMs = Date.now();
    await told(2, 2 * bounds.returnS);
    const back = (Date.now() - answersAtMs) / 1_000;
    protocol.measured(`${step}: return`, back, bounds.returnS, 's after its first answer', said(1));
    await wait(twiceWithinMs);
    protocol.measured(`${step}: in all`, notified().length, 2, 'notifications', 'a death and a return');

    const opening = second.app.waitForEvent('window');
    server.click(notified()[1]?.id ?? 0);
    const incident = (await opening).getByRole('dialog', { name: 'alone didn’t respond' });
    await incident.waitFor();
    protocol.note(step, 'a click on the message opens its incident');
  } finally {
    node.kill();
    await node.ended();
    await server.stop();
  }

  function said(index: number): string {
    return `"${notified()[index]?.title ?? ''}"`;
  }

  async function told(count: number, withinS: number): Promise<void> {
    const untilMs = performance.now() + withinS * 1_000;
    while (notified().length < count) {
      if (performance.now() > untilMs) throw new Error(`There are ${notified().length} notifications.`);
      await wait(50);
    }
  }
}

async function close(running: RunningApp): Promise<void> {
  await running.closeWindow(0);
  while ((await running.windows()).renderers > 0) await wait(50);
}
