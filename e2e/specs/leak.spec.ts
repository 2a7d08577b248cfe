import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { filesWith, searchApp, searchMemory } from '../leak-search.ts';
import { startDisplay } from '../locked-keyring.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { runtimePath, type Profile } from '../running-app.ts';

/** No key, but a text that is put wherever a key might leak to: the search has to find this one. */
const control = 'planted-control-5e1c90b7d2f84a36';
const wrongKey = 'wrong-key-8d03b5c1e96f427a';

const nowhere = {
  files: [],
  commandLines: [],
  environments: [],
  clipboard: [],
  markup: [],
  inputs: [],
  heap: [],
};

/** Errors on purpose, each with what the window says then. */
const troubles = [
  { action: { kind: 'status', status: 500 }, words: 'status 500' },
  { action: { kind: 'cut' }, words: 'was cut off' },
  { action: { kind: 'garbage', variant: 'html' }, words: 'a web page instead of data' },
  { action: { kind: 'redirect' }, words: 'The server redirects to another address' },
  { action: { kind: 'storm', retryAfterSeconds: 1 }, words: 'The service’s rate limit has been reached' },
] as const;

/** A program that starts the runtime and keeps all that it prints in a folder, from the first line on. */
async function recordingRuntime(profile: Profile): Promise<{ executablePath: string; folder: string }> {
  const folder = join(profile.dir, 'output');
  await mkdir(folder);
  const executablePath = join(folder, 'start');
  const printed = `>(tee -a '${folder}/printed')`;
  await writeFile(
    executablePath,
    `#!/bin/bash\nexec '${runtimePath}' "$@" > ${printed} 2> >(tee -a '${folder}/printed' >&2)\n`,
  );
  await chmod(executablePath, 0o700);
  return { executablePath, folder };
}

/** A display of its own for the app, and with it a clipboard that nobody else writes to. */
const onOwnDisplay = test.extend<{ display: string }>({
  display: async ({}, use) => {
    const { line, process: server } = await startDisplay();
    await use(`:${line}`);
    server.kill('SIGTERM');
  },
});

onOwnDisplay(
  'the key is in no file, output, command line, clipboard, page or other process, whatever goes wrong',
  async ({ display, profile, service }) => {
    const { apiKey, examples, nodes } = service.ready;
    const [node] = nodes;
    if (node === undefined) throw new Error('The sample service has no node.');
    await profile.useService(service);
    const { executablePath, folder } = await recordingRuntime(profile);
    const first = await profile.launch({
      executablePath,
      args: [`--planted=${control}`],
      env: { PLANTED: control, DISPLAY: display },
    });
    let app = new Watchkeeper(first.page);

    // The main job, first with a key that is refused, then with the right one, then with a service in trouble.
    await app.saveKey(wrongKey);
    await app.keyTestButton.click();
    await expect(first.page.getByText('Api key is invalid')).toBeVisible();
    await app.watchAddress(examples.address, control);
    await expect(first.page.getByRole('main')).toContainText('The API key wasn’t accepted');
    await app.saveKey(apiKey);
    await app.go('Activity');
    // What the wrong key had stopped goes on.
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.addNode(node.name, node.url);
    await app.go('Activity');
    await app.timeline.getByRole('row').nth(1).click();
    const again = app.drawer.getByRole('button', { name: 'Fetch again' });
    await expect(app.drawer.getByRole('heading', { name: 'Gas and fee' })).toBeVisible();
    for (const { action, words } of troubles) {
      service.control.addFault({ server: 'data', action });
      await again.click();
      await expect(app.drawer).toContainText(words);
      service.control.clearFaults();
    }
    await first.page.keyboard.press('Escape');
    service.control.addFault({ server: 'data', action: { kind: 'hang' } });
    await app.fetchAllChains(control);
    await app.stopFetching();
    service.control.clearFaults();

    // What is planted in every place is found in every place; both keys in none.
    await first.app.evaluate(async ({ clipboard }, text) => {
      await clipboard.writeText(text);
      console.error(text);
    }, control);
    await writeFile(join(profile.dir, 'planted'), control, 'utf16le');
    await expect.poll(() => filesWith(folder, control)).toEqual([join(folder, 'printed')]);
    await first.page.getByRole('button', { name: 'Watch an address' }).first().click();
    await first.page.getByRole('dialog').getByLabel('Label').fill(control);
    const planted = await searchApp(first, [profile.dir], control);
    for (const [place, finds] of Object.entries(planted)) expect(finds, place).not.toEqual([]);
    expect(planted.files).toContain(join(profile.dir, 'planted'));
    expect(planted.files.some((file) => file.includes('sqlite'))).toBe(true);
    await first.page.keyboard.press('Escape');
    await app.go('Settings');
    await expect(app.keyInput).toHaveValue('');
    expect(await searchApp(first, [profile.dir], apiKey, wrongKey)).toEqual(nowhere);
    await first.quit();
    expect(await filesWith(profile.dir, apiKey, wrongKey)).toEqual([]);

    // After a restart, when the window never saw the key, only the main process has it: the one that sends it.
    const second = await profile.launch({ executablePath, env: { DISPLAY: display } });
    app = new Watchkeeper(second.page);
    await app.go('Settings');
    await app.keyTestButton.click();
    await expect(second.page.getByText(/^Accepted in/)).toBeVisible();
    expect(await searchApp(second, [profile.dir], apiKey)).toEqual(nowhere);
    await app.go('Activity');
    await expect(second.page.getByRole('main')).toContainText(control);
    expect(await searchMemory(second, control)).toMatchObject({ Browser: true, Tab: true });
    const memory = await searchMemory(second, apiKey);
    expect(Object.keys(memory)).toEqual(expect.arrayContaining(['Browser', 'Tab', 'GPU']));
    expect(Object.entries(memory).filter(([, isThere]) => isThere)).toEqual([['Browser', true]]);
  },
);
