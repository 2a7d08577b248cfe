// `npm run test:real-node`, inside its prepared session: the built app beside one real node, through
// everything that can happen to a node. Prints what was seen, and when.
import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { Profile } from '../running-app.ts';
import { SampleService } from '../sample-service.ts';
import { countAt, doors } from './doors.ts';
import { isSeen, Protocol, sighting, type Sighting, type Wanted } from './protocol.ts';
import { freePort, RealNode } from './real-node.ts';
import { withoutWindow } from './without-window.ts';

const bounds = { deathS: 2, hangS: 20, returnS: 5, requestsAMinute: 5, connectionsAMinute: 35 };
const quietMs = 125_000;
const hangMs = 15_000;
/** A node runs its checks for the first time after one period of 30 s. */
const healthyWithinMs = 120_000;
const learnedWithinMs = 400_000;
/** How long to wait for a change; the bound itself is checked by the protocol. */
const seenWithinMs = 60_000;

const [binary] = process.argv.slice(2);
if (binary === undefined) throw new Error('The path of the node is missing.');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

const protocol = new Protocol();
const dir = await mkdtemp(join(tmpdir(), 'watchkeeper-real-node-'));
const place = {
  binary,
  dataDir: join(dir, 'node'),
  httpPort: await freePort(),
  stakingPort: await freePort(),
};
await mkdir(place.dataDir);
const tls = makeCertificate(dir);
const service = await SampleService.start();
const profile = new Profile(join(dir, 'profile'));
let node: RealNode | null = null;
try {
  await profile.useService(service);
  const { page } = await profile.launch({ env: { NODE_EXTRA_CA_CERTS: tls?.certificate } });
  await scenes(new Watchkeeper(page));
  await end();
  await profile.closeAll();
  const other = new Profile(join(dir, 'without-window'));
  await protocol.step('without a window', async () => {
    await other.useService(service);
    try {
      await withoutWindow(protocol, other, place);
    } finally {
      await other.closeAll();
    }
  });
  const { misses } = protocol;
  console.log(misses === 0 ? '\nEverything was as it has to be.' : `\n${misses} not as it has to be.`);
  process.exitCode = misses === 0 ? 0 : 1;
} finally {
  await end();
  await profile.closeAll();
  await service.stop();
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

async function scenes(app: Watchkeeper): Promise<void> {
  const { page } = app;
  const plain = `http://127.0.0.1:${place.httpPort}`;
  const banner = app.nodeState('alone');
  const seen = (wanted: Wanted, withinMs = seenWithinMs): Promise<Sighting> =>
    sighting(banner, wanted, withinMs);
  const show = (name: string): Promise<void> =>
    page.getByRole('complementary', { name: 'Your nodes' }).getByRole('button', { name }).click();

  /**
   * Starts another process in place of the last one and measures how long after its first answer the window shows it. The
   * bound is for a node that was away: where something answered before, without a report, only the next poll shows the change.
   */
  async function begin(
    step: string,
    wanted: Wanted,
    flags: readonly string[] = [],
    wasAway = true,
  ): Promise<RealNode> {
    await end();
    if (wasAway) await seen({ says: ['Unreachable'] });
    const seeing = seen(wanted, 2 * healthyWithinMs);
    const startedAtMs = Date.now();
    const next = RealNode.start(place, flags);
    node = next;
    const [answersAtMs, { atMs, words }] = await Promise.all([next.answers().then(() => Date.now()), seeing]);
    const took = `it answered ${seconds(answersAtMs - startedAtMs)} after its start`;
    const delayS = (atMs - answersAtMs) / 1_000;
    if (wasAway) protocol.measured(step, delayS, bounds.returnS, 's', `"${words}" (${took})`);
    else protocol.note(step, `${delayS.toFixed(2)} s, no bound  "${words}" (${took})`);
    return next;
  }

  /** Does something to the node and measures how long the window takes to show it. */
  async function after(step: string, act: () => void, wanted: Wanted, boundS: number): Promise<void> {
    if (await isSeen(banner, wanted)) throw new Error('The window said so before it happened.');
    const seeing = seen(wanted);
    const atMs = Date.now();
    act();
    const sight = await seeing;
    protocol.measured(step, (sight.atMs - atMs) / 1_000, boundS, 's', `"${sight.words}"`);
  }

  async function hang(step: string, current: RealNode): Promise<void> {
    await after(
      step,
      () => current.hang(),
      { says: ['Unreachable', 'The node didn’t respond in time.'] },
      bounds.hangS,
    );
    await wait(hangMs);
    await after(`${step}: its end`, () => current.goOn(), { saysNot: 'Unreachable' }, bounds.returnS);
  }

  /** Expects that the newest incident is the node not answering, open or ended, and that the Overview agrees. */
  async function incident(step: string, isOpen: boolean): Promise<void> {
    const subject = /alone (isn’t responding|didn’t respond)/;
    await app.showPart('Incidents');
    const row = app.incidents.getByRole('row').filter({ hasText: subject }).first();
    await row.filter({ hasText: isOpen ? 'Open' : 'Ended' }).waitFor();
    const words = (await row.innerText()).split(/\s*[\t\n]\s*/).filter((cell) => cell !== '');
    protocol.note(step, `incident: ${words.join(' · ')}`);
    await app.showPart('Health');
    await app.go('Overview');
    const open = page.getByRole('listitem').filter({ hasText: subject });
    await open.waitFor({ state: isOpen ? 'visible' : 'hidden' });
    await app.go('Nodes');
  }

  /** Counts the requests to the node while nothing happens. */
  async function quiet(step: string, current: RealNode): Promise<void> {
    const samples: { atMs: number; count: number }[] = [];
    const sample = async (): Promise<number> => {
      const count = await current.healthRequests();
      samples.push({ atMs: performance.now(), count });
      return count;
    };
    const startMs = performance.now();
    const before = await sample();
    while (performance.now() - startMs < quietMs) {
      await wait(1_000);
      await sample();
    }
    const requests = (await sample()) - before;
    const spanMs = performance.now() - startMs;
    const rate = (requests * 60_000) / spanMs;
    const words = `${requests} requests in ${seconds(spanMs)}`;
    protocol.measured(step, rate, bounds.requestsAMinute, 'requests a minute', words);
    const worst = Math.max(
      ...samples.map(({ atMs, count }) => {
        const within = samples.filter((later) => later.atMs >= atMs && later.atMs <= atMs + 60_000);
        return (within.at(-1)?.count ?? count) - count;
      }),
    );
    protocol.measured(step, worst, bounds.requestsAMinute, 'requests', 'in its worst minute');
  }

  async function learned(step: string): Promise<void> {
    const startMs = performance.now();
    const rhythm = banner.getByText(/^every (29\.\d|30(\.\d)?) s/);
    await rhythm.waitFor({ timeout: learnedWithinMs });
    const took = seconds(performance.now() - startMs);
    protocol.note(step, `runs its checks ${await rhythm.innerText()}, learned ${took} after it was healthy`);
  }

  await protocol.step('before the start', async () => {
    await app.addNode('alone', plain);
    const { words } = await seen({ says: ['Unreachable', 'The node refused the connection.'] });
    protocol.note('before the start', `"${words}"`);
    await incident('before the start', true);
  });

  for (const [door, open] of Object.entries(doors)) {
    const step = `a host that ${door}`;
    await protocol.step(step, async () => {
      const { connections, requests } = await countAt(place.httpPort, open, quietMs);
      const minutes = quietMs / 60_000;
      const words = `${connections} connections, ${requests} requests in ${seconds(quietMs)}`;
      protocol.measured(step, requests / minutes, bounds.requestsAMinute, 'requests a minute', words);
      const most = bounds.connectionsAMinute;
      protocol.measured(
        step,
        connections / minutes,
        most,
        'connections a minute',
        'with those of the requests',
      );
    });
  }

  // Connections that something accepted say nothing: only a refused one lets the app look for its end.
  await seen({ says: ['Unreachable', 'The node refused the connection.'] }, 2 * seenWithinMs);

  await protocol.step('start', async () => {
    const startedAtMs = Date.now();
    const current = await begin('start', { says: ['Starting'] });
    await incident('start', false);
    const { atMs, words } = await seen({ says: ['Healthy'] }, healthyWithinMs);
    protocol.note('start', `"${words}" ${seconds(atMs - startedAtMs)} after the start`);
    await learned('start');
    await quiet('quiet, healthy', current);
  });

  await protocol.step('death', async () => {
    await after('death', () => node?.kill(), { says: ['Unreachable'] }, bounds.deathS);
    await incident('death', true);
    await wait(20_000);
  });

  // In a network with other validators, a node without peers has failing checks and answers 503.
  await protocol.step('return', async () => {
    const current = await begin('return', { saysNot: 'Unreachable' }, ['--sybil-protection-enabled=true']);
    await incident('return', false);
    const { words } = await seen({ says: ['Unhealthy'] }, healthyWithinMs);
    protocol.note('return', `"${words}"`);
    await learned('return');
    await quiet('quiet, checks fail', current);
  });

  await protocol.step('hang', async () => {
    const current = await begin('return', { says: ['Starting'] });
    await seen({ says: ['Healthy'] }, healthyWithinMs);
    await hang('hang', current);
    await incident('hang: its end', false);
    await seen({ says: ['Healthy'] }, healthyWithinMs);
    const count = await current.healthRequests();
    while ((await current.healthRequests()) === count) await wait(200);
    await hang('hang after an answer', current);
  });

  await protocol.step('orderly stop', async () => {
    await after('orderly stop', () => node?.stop(), { says: ['Unreachable'] }, bounds.deathS);
    await incident('orderly stop', true);
    await node?.ended();
  });

  await protocol.step('TLS', async () => {
    if (tls === null)
      return protocol.note('TLS', 'not tried: it needs the program openssl for a certificate');
    const flags = [
      '--http-tls-enabled',
      `--http-tls-cert-file=${tls.certificate}`,
      `--http-tls-key-file=${tls.key}`,
    ];
    const words = ['Unknown', 'The server uses HTTPS, so the address must begin with https://.'];
    const current = await begin('TLS, asked without it', { says: words }, flags);
    await app.addNode('with TLS', `https://127.0.0.1:${place.httpPort}`);
    const own = app.nodeState('with TLS');
    const healthy = await sighting(own, { says: ['Healthy'] }, healthyWithinMs);
    protocol.note('TLS', `"${healthy.words}"`);
    const seeing = sighting(own, { says: ['Unreachable'] }, seenWithinMs);
    const atMs = Date.now();
    current.kill();
    const gone = await seeing;
    protocol.measured('TLS: death', (gone.atMs - atMs) / 1_000, bounds.deathS, 's', `"${gone.words}"`);
    await show('alone');
  });

  await protocol.step('TLS, not trusted', async () => {
    // The node's self-signed certificate.
    const staking = join(place.dataDir, 'staking');
    await end();
    node = RealNode.start(place, [
      '--http-tls-enabled',
      `--http-tls-cert-file=${join(staking, 'staker.crt')}`,
      `--http-tls-key-file=${join(staking, 'staker.key')}`,
    ]);
    await node.answers();
    await show('with TLS');
    await app.pollNow();
    const words = ['Unreachable', 'The app couldn’t make a secure connection to the node.'];
    const sight = await sighting(app.nodeState('with TLS'), { says: words }, seenWithinMs);
    protocol.note('TLS, not trusted', `"${sight.words}"`);
    await show('alone');
  });

  await protocol.step('refused host name', async () => {
    await begin('without TLS again', { saysNot: 'HTTPS' }, [], false);
    const name = await loopbackName();
    if (name === null)
      return protocol.note(
        'refused host name',
        'not tried: no name but localhost leads to this computer alone',
      );
    await app.addNode('by name', `http://${name}:${place.httpPort}`);
    const words = ['Unknown', 'The node doesn’t accept the host name in its address'];
    const sight = await sighting(app.nodeState('by name'), { says: words }, seenWithinMs);
    protocol.note('refused host name', `"${sight.words}"`);
    await show('alone');
  });

  await protocol.step('interface switched off', async () => {
    const words = ['Unknown', 'There’s no health API at this address (404)'];
    // Several restarts take what the node may be asked in two minutes, and the last return waits (docs/adr/0016).
    await wait(quietMs);
    await begin('interface switched off', { says: words }, ['--api-health-enabled=false']);
    await wait(quietMs);
    await begin('interface on again', { says: ['Starting'] });
  });
}

/** Ends the node's process in any state. */
async function end(): Promise<void> {
  node?.kill();
  await node?.ended();
  node = null;
}

/** A certificate for the loopback address, which the app is told to trust; null where none can be made. */
function makeCertificate(folder: string): { certificate: string; key: string } | null {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
  const output = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate];
  const { status } = spawnSync('openssl', [...request, ...output], { stdio: 'ignore' });
  return status === 0 ? { certificate, key } : null;
}

/** A host name other than `localhost` that resolves to 127.0.0.1; null without one. */
async function loopbackName(): Promise<string | null> {
  for (const name of [hostname(), 'watchkeeper.localhost']) {
    const addresses = await lookup(name, { all: true }).catch(() => []);
    const isLoopback = addresses.some(({ address }) => address === '127.0.0.1');
    if (isLoopback && name !== 'localhost') return name;
  }
  return null;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
