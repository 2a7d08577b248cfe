import { createHash } from 'node:crypto';
import keytar from 'keytar';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { filesWith } from '../leak-search.ts';
import { LockedKeyring } from '../locked-keyring.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { Profile } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';
import { UntrustedServer } from '../untrusted-server.ts';

const wrongKey = 'wrong-key-0b9f5d2c77a84e13';

const accountOf = ({ ready }: SampleService) =>
  [ready.dataUrl, ready.metricsUrl].map((url) => new URL(url).origin).join(' ');

/** For so long the app waits for the keychain. */
const longestWaitMs = 5_000;

const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);

const snapshotOf = (page: Page) => page.evaluate(() => window.watchkeeper.invoke('app.snapshot', undefined));

test('the key: stored in the keychain, tested, replaced, kept over a restart, removed, and never told', async ({
  profile,
  service,
}) => {
  const account = accountOf(service);
  const { apiKey } = service.ready;
  await profile.useService(service);
  const first = await profile.launch();
  let app = new Watchkeeper(first.page);
  await app.go('Settings');
  await expect(app.keyStatus).toHaveText('None');
  await expect(app.keyTestButton).toBeHidden();

  await app.saveKey(apiKey);
  await expect(app.keyStatus).toHaveText('Stored');
  expect(await keytar.getPassword('Watchkeeper', account)).toBe(apiKey);
  await expect(app.keyInput).toHaveValue('');
  await expect(app.keyInput).toHaveAttribute('type', 'password');
  const snapshot = await snapshotOf(first.page);
  expect(snapshot).toMatchObject({ ok: true });
  expect(snapshot.ok && snapshot.value.secret).toEqual({
    present: true,
    storage: 'keychain',
    keychain: 'available',
  });
  expect(JSON.stringify(snapshot)).not.toContain(apiKey);
  await app.keyTestButton.click();
  await expect(first.page.getByText(/^Accepted in/)).toBeVisible();

  await app.saveKey(wrongKey);
  expect(await keytar.getPassword('Watchkeeper', account)).toBe(wrongKey);
  await app.keyTestButton.click();
  await expect(first.page.getByText('Api key is invalid')).toBeVisible();
  await first.quit();

  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  service.control.clearRequests();
  await app.go('Settings');
  await expect(app.keyStatus).toHaveText('Stored');
  await expect(app.keyInput).toHaveValue('');
  await app.keyTestButton.click();
  await expect(second.page.getByText('Api key is invalid')).toBeVisible();
  expect(service.requestsTo('data').map(({ keyHeaders }) => keyHeaders)).toEqual([
    { 'x-service-api-key': digestOf(wrongKey) },
  ]);

  await second.page.getByRole('button', { name: 'Remove key' }).click();
  const question = second.page.getByRole('alertdialog').or(second.page.getByRole('dialog'));
  await question.getByRole('button', { name: 'Remove key' }).click();
  await expect(app.keyStatus).toHaveText('None');
  await expect(app.keyTestButton).toBeHidden();
  expect(await keytar.getPassword('Watchkeeper', account)).toBeNull();
  await second.quit();

  const third = await profile.launch();
  await new Watchkeeper(third.page).go('Settings');
  await expect(new Watchkeeper(third.page).keyStatus).toHaveText('None');
});

test('what a wrong key has stopped goes on once there is a right one, or none', async ({
  running,
  service,
}) => {
  const app = new Watchkeeper(running.page);
  const refused = running.page.getByRole('main').getByText('The API key wasn’t accepted');
  const goesWrong = async (label: string) => {
    await app.saveKey(wrongKey);
    await app.watchAddress(service.account(label), label);
    await expect(refused.first()).toBeVisible();
  };
  await goesWrong('thirty');
  await app.saveKey(service.ready.apiKey);
  await app.go('Activity');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.completed();
  await expect(refused).toHaveCount(0);

  await goesWrong('one');
  await app.go('Settings');
  await running.page.getByRole('button', { name: 'Remove key' }).click();
  await running.page.getByRole('dialog').getByRole('button', { name: 'Remove key' }).click();
  await app.go('Activity');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await expect(refused).toHaveCount(0);
});

test('the key goes to its own service and not along with a redirect', async ({ running, service }) => {
  const app = new Watchkeeper(running.page);
  const { elsewhereUrl } = service.control.describe() as { elsewhereUrl: string };
  await app.saveKey(service.ready.apiKey);
  for (const status of [301, 302, 303, 307, 308]) {
    service.control.clearFaults();
    service.control.addFault({ server: 'data', action: { kind: 'redirect', status } });
    await app.keyTestButton.click();
    await expect(
      running.page.getByText(`The server redirects to another address: ${elsewhereUrl}`),
    ).toBeVisible();
  }
  const own = service.requestsTo('data');
  expect(own.length).toBeGreaterThanOrEqual(5);
  for (const { keyHeaders } of own)
    expect(keyHeaders).toEqual({ 'x-service-api-key': digestOf(service.ready.apiKey) });
  expect(service.requestsTo('elsewhere')).toEqual([]);

  // The other origin would have told: a key that does arrive there is seen.
  await fetch(`${elsewhereUrl}/control`, { headers: { 'x-service-api-key': wrongKey } });
  expect(service.requestsTo('elsewhere').map(({ keyHeaders }) => keyHeaders)).toEqual([
    { 'x-service-api-key': digestOf(wrongKey) },
  ]);
});

test('a service that repeats the key in its answer does not bring it into the window or a file', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch();
  const app = new Watchkeeper(running.page);
  const apiKey = 'kJ8/fQ2+Zx91Lm==';
  const escaped = apiKey.replaceAll('/', '\\/').replaceAll('=', '\\u003d');
  await app.saveKey(apiKey);
  const body = `{"statusCode":401,"message":"Key ${apiKey} is unknown, ${escaped}!","error":"Unauthorized"}`;
  service.control.addFault({ server: 'data', action: { kind: 'status', status: 401, body } });
  await app.keyTestButton.click();
  await expect(running.page.getByText('Key (hidden key) is unknown, (hidden key)!')).toBeVisible();
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(running.page.getByRole('main')).toContainText('The API key wasn’t accepted');
  expect(await running.page.content()).not.toContain(apiKey);
  await running.quit();
  expect(await filesWith(profile.dir, apiKey, escaped)).toEqual([]);
});

test('without a keychain a key is kept for the session, and nowhere else', async ({ profile, service }) => {
  const { apiKey } = service.ready;
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${profile.dir}/no-such-bus` };
  await profile.useService(service);
  const first = await profile.launch({ env });
  let app = new Watchkeeper(first.page);
  await app.go('Settings');
  await expect(app.keyStatus).toHaveText('No keychain');
  await expect(first.page.getByText('This system has no keychain that the app can use.')).toBeVisible();

  // It is never kept in another place unasked.
  await app.keyInput.fill(apiKey);
  await first.page.getByRole('button', { name: 'Save key' }).click();
  await expect(first.page.getByText('This computer has no keychain that the app can use.')).toBeVisible();
  await expect(app.keyTestButton).toBeHidden();

  await first.page.getByLabel('For this session only').check();
  await app.saveKey(apiKey);
  await expect(app.keyStatus).toHaveText('Kept for this session');
  await app.keyTestButton.click();
  await expect(first.page.getByText(/^Accepted in/)).toBeVisible();
  await first.quit();

  expect(await keytar.getPassword('Watchkeeper', accountOf(service))).toBeNull();
  expect(await filesWith(profile.dir, apiKey)).toEqual([]);
  const second = await profile.launch({ env });
  app = new Watchkeeper(second.page);
  await app.go('Settings');
  await expect(app.keyStatus).toHaveText('No keychain');
  await expect(app.keyTestButton).toBeHidden();
});

const locked = test.extend<{ keyring: LockedKeyring }>({
  keyring: async ({ service }, use) => {
    const keyring = await LockedKeyring.start(accountOf(service), service.ready.apiKey);
    await use(keyring);
    await keyring.stop();
  },
});

locked(
  'a locked keychain is said and stops nothing; the next start finds it open',
  async ({ keyring, profile, service }) => {
    const [node] = service.ready.nodes;
    if (node === undefined) throw new Error('The sample service has no node.');
    await profile.useService(service);
    const running = await profile.launch({ env: keyring.env, clock: 'held' });
    const app = new Watchkeeper(running.page);
    // While the keychain is being waited for, the node answers already.
    await app.addNode(node.name, node.url);
    await expect(app.node(node.name).getByRole('region', { name: 'State of the node' })).toContainText(
      'Healthy',
    );
    await app.go('Settings');
    await expect(app.keyStatus).toBeVisible();
    expect(await app.keyStatus.innerText()).not.toBe('Keychain locked');
    await running.passTime(longestWaitMs);
    await expect(app.keyStatus).toHaveText('Keychain locked');

    await app.watchAddress(service.ready.examples.address, 'Treasury');
    await expect(app.progress).toContainText('complete back to the first transaction');
    expect(service.requestsTo('data').filter(({ keyHeaders }) => 'x-service-api-key' in keyHeaders)).toEqual(
      [],
    );

    await app.go('Settings');
    await running.page.getByRole('button', { name: 'Try the keychain again' }).click();
    await expect(async () => {
      await running.passTime(longestWaitMs);
      await expect(running.page.getByText('This computer’s keychain is locked.')).toBeVisible({
        timeout: 300,
      });
    }).toPass();
    await expect(app.keyStatus).toHaveText('Keychain locked');

    // The call that hangs does not keep the app from ending, and the next start finds the keychain open.
    await running.quit();
    await keyring.unlock();
    const next = await profile.launch({ env: keyring.env });
    const opened = new Watchkeeper(next.page);
    await opened.go('Settings');
    await expect(opened.keyStatus).toHaveText('Stored');
    await opened.keyTestButton.click();
    await expect(next.page.getByText(/^Accepted in/)).toBeVisible();
  },
);

/** Nothing but the key's own line of Settings tells how the keychain is. */
const settingsWith = async (
  profile: Profile,
  service: SampleService,
  keyring: LockedKeyring,
  clock: 'held' | 'real' = 'real',
) => {
  await profile.useService(service);
  const running = await profile.launch({ env: keyring.env, clock });
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.go('Settings');
  return { app, page, running, tryAgain: page.getByRole('button', { name: 'Try the keychain again' }) };
};
const prompting = (keyring: LockedKeyring, forMs = 1) =>
  expect.poll(() => keyring.promptingForMs(), { intervals: [100] }).toBeGreaterThanOrEqual(forMs);

locked(
  'a keychain that is unlocked after the app has given up waiting is used without a restart',
  async ({ keyring, profile, service }) => {
    const { app, page, running } = await settingsWith(profile, service, keyring, 'held');
    await prompting(keyring);
    await running.passTime(longestWaitMs);
    await expect(app.keyStatus).toHaveText('Keychain locked');
    await keyring.answerPrompt();
    await expect(app.keyStatus).toHaveText('Stored');

    await app.keyTestButton.click();
    await expect(page.getByText(/^Accepted in/)).toBeVisible();
    expect(service.requestsTo('data').at(-1)?.keyHeaders).toEqual({
      'x-service-api-key': digestOf(service.ready.apiKey),
    });
  },
);

locked(
  'a prompt that was dismissed comes again with the next try, and its answer is enough',
  async ({ keyring, profile, service }) => {
    const { app, page, tryAgain } = await settingsWith(profile, service, keyring);
    // As long as a person takes at least to see what it is.
    await prompting(keyring, 1_200);
    await keyring.dismissPrompt();
    await expect(app.keyStatus).toHaveText('Keychain locked');

    await tryAgain.click();
    await prompting(keyring);
    await keyring.answerPrompt();
    await expect(page.getByText(/^Accepted in/)).toBeVisible();
    await expect(app.keyStatus).toHaveText('Stored');
  },
);

locked(
  'a key in a keychain that has been locked again is not said to be removed before it is',
  async ({ keyring, profile, service }) => {
    await keyring.unlock();
    const { app, page } = await settingsWith(profile, service, keyring);
    await expect(app.keyStatus).toHaveText('Stored');
    await keyring.lock();
    await page.getByRole('button', { name: 'Remove key' }).click();
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.getByRole('button', { name: 'Remove key' }).click();
    await prompting(keyring, 1_200);
    await keyring.dismissPrompt();
    await expect(question).toContainText('This computer’s keychain is locked.');

    await question.getByRole('button', { name: 'Remove key' }).click();
    await prompting(keyring);
    await keyring.answerPrompt();
    await expect(question).toBeHidden();
    await expect(app.keyStatus).toHaveText('None');
    expect(await keyring.read(accountOf(service))).toBeNull();
  },
);

test('an environment that switches off the check of certificates gets neither the key nor a question', async ({
  profile,
}) => {
  const anybody = await UntrustedServer.start();
  await profile.useService({ ready: { dataUrl: anybody.origin, metricsUrl: anybody.origin } });
  const { page } = await profile.launch({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  const app = new Watchkeeper(page);
  await expect(page.getByText('NODE_TLS_REJECT_UNAUTHORIZED')).toContainText(
    'Watchkeeper ignores this variable',
  );
  // It is no trouble of the store, whatever that has to say of itself.
  const snapshot = await page.evaluate(() => window.watchkeeper.invoke('app.snapshot', undefined));
  expect(snapshot).toMatchObject({
    value: { storage: { notices: [], others: [expect.stringContaining('NODE_TLS')] } },
  });
  await app.saveKey(wrongKey);
  await app.keyTestButton.click();
  await expect(page.getByText(/^The certificate of 127\.0\.0\.1:\d+ is not trusted/)).toBeVisible();
  await app.addNode('anybody', anybody.origin);
  await expect(app.nodeState('anybody')).toContainText(
    'The app couldn’t make a secure connection to the node.',
  );
  expect(anybody.requests).toEqual([]);
  await anybody.stop();
});
