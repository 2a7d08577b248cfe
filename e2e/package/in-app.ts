import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect as expectSoon } from 'playwright/test';
import { attach } from '../attach.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

/** Waits long enough for an app in its usual rhythm, which polls the node every ten seconds. */
export const expect = expectSoon.configure({ timeout: 60_000 });

/** Starts a packed app, does something in its window, and quits it as a user does. */
export async function inApp(
  start: (args: readonly string[]) => ChildProcess,
  profileDir: string,
  work: (app: Watchkeeper) => Promise<void>,
): Promise<void> {
  rmSync(join(profileDir, 'DevToolsActivePort'), { force: true });
  // Only the page can be reached, by Chromium's debugging port; the main process cannot.
  const child = start(['--disable-gpu', '--remote-debugging-port=0']);
  const ended = once(child, 'exit');
  try {
    const { page, browser } = await attach(profileDir);
    await work(new Watchkeeper(page));
    // Closing the window asks first whether to keep watching.
    await page.evaluate(() => {
      // Later than the answer to this call, which would otherwise be cut off.
      setTimeout(() => void window.watchkeeper.invoke('app.quit', undefined));
    });
    await ended;
    await browser.close();
  } finally {
    child.kill('SIGKILL');
  }
}
