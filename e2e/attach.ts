import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, expect, type Browser, type Locator, type Page } from 'playwright/test';

const startsWithinMs = 60_000;

/**
 * The window of an app that Playwright has not started, by Chromium's debugging port: it was started with
 * `--remote-debugging-port=0`, and without an older `DevToolsActivePort` in its profile.
 */
export async function attach(profileDir: string): Promise<{ page: Page; browser: Browser }> {
  const portFile = join(profileDir, 'DevToolsActivePort');
  const soon = { timeout: startsWithinMs };
  await expect
    .poll(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('\n'), soon)
    .toBe(true);
  const url = `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n')[0] ?? ''}`;
  // A connection made while the page is being loaded may wait forever for an answer of what it replaces. The view's name
  // is in the title once the page is there.
  await expect
    .poll(async () => await (await fetch(`${url}/json/list`)).text(), soon)
    .toMatch(/"title": ".+ – Watchkeeper"/);
  const browser = await chromium.connectOverCDP(url);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('The app has no window.');
  return { page: context.pages()[0] ?? (await context.waitForEvent('page')), browser };
}

/** Clicks a button by which the app ends at once, later than the answer to this call, which would otherwise be cut off. */
export async function clickToEnd(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => void setTimeout(() => element.click()));
}
