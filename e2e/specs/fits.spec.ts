import type { Page } from 'playwright/test';
import { fill, openTransaction } from '../filled-app.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper, type View } from '../pages/watchkeeper.ts';
import type { RunningApp } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';

async function setSize({ app, page }: RunningApp, width: number, height: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [
    width,
    height,
  ] as const);
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
}

const setWidth = (running: RunningApp, width: number) => setSize(running, width, 720);

/** The names of elements whose content is wider than they are, though they do not scroll sideways on purpose. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const nameOf = (element: Element) =>
      `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 60)}`;
    const root = document.scrollingElement;
    if (root !== null && root.scrollWidth > root.clientWidth) found.push('the page');
    // Only its parts scroll: focus on something far down must not move the whole window.
    if (root !== null && root.scrollHeight > root.clientHeight) found.push('the page, downwards');
    for (const element of document.querySelectorAll('main, main *, dialog[open], dialog[open] *')) {
      const { overflowX } = getComputedStyle(element);
      if (overflowX !== 'auto' && overflowX !== 'scroll') continue;
      if (element.scrollWidth > element.clientWidth) found.push(nameOf(element));
    }
    // What sticks out of the window cannot be reached.
    for (const control of document.querySelectorAll('button, input, select, [tabindex="0"]')) {
      const { right, left, width } = control.getBoundingClientRect();
      const end = control.closest('nav')?.getBoundingClientRect().right ?? innerWidth;
      if (width > 1 && (right > end + 0.5 || left < -0.5)) found.push(`outside: ${nameOf(control)}`);
    }
    return found;
  });
}

/**
 * What of a timeline's rows is not as it has to be: an address without its ends, an amount without the digits that count, a line
 * or a picture that touches the lines between rows.
 */
function faultsOfRows(page: Page, name: string): Promise<string[]> {
  return page.getByRole('grid', { name }).evaluate((grid) => {
    const found = new Set<string>();
    const boxOfText = (text: Node) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return range.getBoundingClientRect();
    };
    const isCut = (text: Node) => {
      const { left, right } = boxOfText(text);
      for (
        let around = text.parentElement;
        around !== null && around !== grid;
        around = around.parentElement
      ) {
        const box = around.getBoundingClientRect();
        const clips = getComputedStyle(around).overflowX !== 'visible';
        if (clips && (right > box.right + 0.5 || left < box.left - 0.5)) return true;
      }
      return false;
    };
    for (const row of grid.querySelectorAll('[data-place]')) {
      const { top, bottom } = row.getBoundingClientRect();
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const words = text.textContent?.trim() ?? '';
        const element = text.parentElement;
        if (words === '' || element === null || element.closest('.visually-hidden') !== null) continue;
        if (/^0x[\dA-Fa-f]{4,}…[\dA-Fa-f]{4}$/.test(words) && isCut(text)) found.add(`cut: ${words}`);
        if (element.matches('.day') && isCut(text)) found.add(`cut: ${words}`);
        if (/^[+−]?[\d,]+(\.\d+)?$/.test(words) && !element.matches('.faint') && isCut(text))
          found.add(`cut: ${words}`);
        const box = boxOfText(text);
        if (box.top < top + 2 || box.bottom > bottom - 2) found.add(`touches a line: ${words}`);
      }
      for (const picture of row.querySelectorAll('svg')) {
        const box = picture.getBoundingClientRect();
        const touches = box.top < top + 2 || box.bottom > bottom - 2;
        if (box.width > 0 && touches) found.add('touches a line: a picture');
      }
    }
    const heads = [...grid.querySelectorAll('[role=columnheader]')].map((head) =>
      head.getBoundingClientRect(),
    );
    const shown = heads.filter(({ width }) => width > 1);
    if (new Set(shown.map(({ top, height }) => Math.round(top + height / 2))).size > 1)
      found.add('heads are not in one line');
    return [...found];
  });
}

/** The names of controls that the mouse does not reach at their middle, once they are scrolled into view: something lies over them. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>(
      'button, input, select, textarea, summary, a',
    )) {
      // A choice that is drawn by its label is pressed there; what a row offers under the pointer is not there before.
      const target = control.closest('label') ?? control;
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && target === control)
        continue;
      if (control.closest('[role=grid]') !== null) continue;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, top, width, height } = target.getBoundingClientRect();
      if (width <= 1 || height <= 1) continue;
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (hit === null || !target.contains(hit))
        found.push(
          `${control.getAttribute('aria-label') ?? target.textContent.trim().slice(0, 60)} (${control.tagName}) is under ${hit?.tagName ?? 'nothing'} ${hit?.className.toString() ?? ''}`,
        );
    }
    return found;
  });
}

/** The first node reports a check that has failed so often that the app alerts. */
async function failOften(service: SampleService): Promise<void> {
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  service.control.changeNode(node.name, { periodMs: 500 });
  service.control.changeCheck(node.name, 'diskspace', { error: 'only 2% left' });
  await expect
    .poll(async () => {
      // The answer of the sample node.
      const { checks } = (await (await fetch(`${node.url}/ext/health`)).json()) as {
        checks: Record<string, { contiguousFailures?: number }>;
      };
      return checks['diskspace']?.contiguousFailures;
    })
    .toBeGreaterThan(2);
}

test('at every width and at 200 % zoom all of it fits, no control is out of reach, and nothing lies over one', async ({
  running,
  service,
}) => {
  const { page, app: electron } = running;
  const app = new Watchkeeper(page);
  const zoom = (factor: number) =>
    electron.evaluate(
      ({ BrowserWindow }, value) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(value),
      factor,
    );
  const expectFits = async (where: string) => {
    for (const width of [960, 1_280, 1_600]) {
      await setWidth(running, width);
      await expect.poll(() => overflowing(page), `${where} at ${width} px`).toEqual([]);
    }
  };
  const views = [
    'Activity',
    'Nodes',
    'Overview',
    'Explore',
    'Alerts',
    'Settings',
  ] as const satisfies readonly View[];
  const show = async (view: View) => {
    await app.go(view);
    await expect(page.getByRole('heading', { level: 1, name: view })).toBeAttached();
    if (view === 'Nodes') await expect(page.getByRole('slider').first()).toBeVisible();
  };

  await test.step('the first page', async () => {
    await expectFits('Overview, empty');
    const cards = page.getByRole('region', { name: 'Welcome to Watchkeeper' }).getByRole('listitem');
    const tops = await cards.evaluateAll((all) =>
      all.map((card) => card.querySelector('button')?.getBoundingClientRect().top),
    );
    expect(new Set(tops).size, 'the lines of the first buttons').toBe(1);
  });

  await failOften(service);
  await fill(app, service);
  await expect(page.getByRole('button', { name: 'Alerts, 1 open' })).toBeVisible();
  await app.addNode(`The node with ${'a very '.repeat(10)}long name`, 'http://127.0.0.1:1');

  await test.step('rows keep the ends of addresses, the digits that count, and room around them', async () => {
    for (const [view, name] of [
      ['Activity', 'Transactions'],
      ['Overview', 'Recent activity'],
    ] as const) {
      await app.go(view);
      await expect(page.getByRole('grid', { name }).getByRole('row').nth(7)).toBeVisible();
      for (const width of [960, 1_280, 1_440, 1_600, 1_920]) {
        await setWidth(running, width);
        await expect.poll(() => faultsOfRows(page, name), `${view} at ${width} px`).toEqual([]);
        await expect.poll(() => overflowing(page), `${view} at ${width} px`).toEqual([]);
      }
    }
    await app.go('Activity');
    await openTransaction(app);
    await expectFits('Transaction');
    await page.keyboard.press('Escape');
  });

  await setWidth(running, 1_280);
  try {
    await test.step('rows and a transaction fit at 200 %', async () => {
      await app.go('Activity');
      await zoom(2);
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(640);
      await expect.poll(() => overflowing(page), 'Activity at 640 px').toEqual([]);
      await expect.poll(() => faultsOfRows(page, 'Transactions'), 'rows at 640 px').toEqual([]);
      await openTransaction(app);
      await expect.poll(() => overflowing(page), 'Transaction at 640 px').toEqual([]);
      await page.keyboard.press('Escape');
      await zoom(1);
    });

    const expectNone = async (view: View) => {
      for (const width of [1_600, 1_280, 960, 640]) {
        // The window itself is never as narrow as 640 px, but one of 1280 px at 200 % is.
        await setSize(running, width === 640 ? 1_280 : width, 840);
        await zoom(width === 640 ? 2 : 1);
        await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
        for (const faults of [overflowing, covered])
          await expect.poll(() => faults(page), `${view} at ${width} px`).toEqual([]);
      }
      await zoom(1);
    };

    await test.step('every view fits, and nothing lies over a control', async () => {
      for (const view of views) {
        await show(view);
        await expectNone(view);
      }
    });

    await test.step('with many filters too', async () => {
      const filterBy = async (column: string) => {
        await page.keyboard.press('f');
        await page.keyboard.type(column);
        await page.keyboard.press('Enter');
      };
      await app.go('Activity');
      await filterBy('amount');
      await page.getByLabel('From').fill('1000.000000000000000001');
      await page.getByLabel('To', { exact: true }).fill('123456789.000000000000000001');
      await page.getByRole('button', { name: 'Apply' }).click();
      for (const column of ['counterparty', 'kind']) {
        await filterBy(column);
        await page.getByRole('dialog', { name: 'Add filter' }).getByRole('option').first().click();
        await page.keyboard.press('Escape');
      }
      await expect(page.getByRole('button', { name: /^Remove: / })).toHaveCount(4);
      await expectNone('Activity');
    });
  } finally {
    await zoom(1);
  }
});

test('in forced colours what is chosen and where the keyboard is has an edge', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await fill(app, service);
  await page.emulateMedia({ forcedColors: 'active' });
  const outlineOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return outlineStyle === 'none' ? 'none' : outlineWidth;
      });
  await app.timeline.focus();
  await page.keyboard.press('ArrowDown');
  for (const selector of ['[role=row][aria-selected=true]', '[aria-current=page]']) {
    expect(await outlineOf(selector), selector).toBe('2px');
  }
  expect(await outlineOf('[role=row][aria-selected=false]')).toBe('none');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => outlineOf('.pointed')).toBe('2px');
  await page.keyboard.press('ContextMenu');
  expect(await outlineOf('[role=menuitem]:focus')).toBe('2px');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => outlineOf('[role=option][aria-selected=true]')).toBe('2px');
  await page.keyboard.press('Escape');
  await app.go('Settings');
  expect(await outlineOf('[role=radiogroup] input:checked + span')).toBe('2px');
  await page.emulateMedia({ forcedColors: null });
});

test('the days of a timeline are shown whole as a region writes them', async ({ profile, service }) => {
  await profile.useService(service);
  const running = await profile.launch({ env: { LANG: 'en_US.UTF-8' } });
  const app = new Watchkeeper(running.page);
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.go('Settings');
  const notation = running.page.getByRole('radiogroup', { name: 'Dates and numbers' });
  await notation.getByText('System').click();
  await app.go('Overview');
  // `Sat, Nov 28, 2026`.
  await expect(running.page.getByRole('grid', { name: 'Recent activity' })).toContainText(/[a-z] \d+, 20/);
  for (const width of [960, 1280, 1600]) {
    await setWidth(running, width);
    await expect.poll(() => faultsOfRows(running.page, 'Recent activity'), `at ${width} px`).toEqual([]);
  }
});

test('in a low window the fields of a node stand in line, and what its address answers is in sight', async ({
  running,
  service,
}) => {
  await setSize(running, 960, 600);
  const app = new Watchkeeper(running.page);
  await app.go('Nodes');
  await running.page.getByRole('button', { name: 'Add a node' }).first().click();
  const dialog = running.page.getByRole('dialog', { name: 'Add a node' });
  const topOf = async (label: string) => (await dialog.getByLabel(label).boundingBox())?.y;
  expect(await topOf('Name')).toBe(await topOf('Poll interval'));
  await dialog.getByLabel('URL').fill(service.ready.nodes[0]?.url ?? '');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText('A node responded at this address.')).toBeInViewport();
});

test('a label that is read from right to left leaves the figures after it where they are', async ({
  running,
  service,
}) => {
  const app = new Watchkeeper(running.page);
  await app.watchAddress(service.account('thirty'), 'חיסכון');
  const drawer = await app.openCoverage();
  const name = drawer.locator('strong', { hasText: 'חיסכון' });
  const count = drawer.getByText('1 indexed chain');
  // Both at one moment, as the drawer moves when it opens.
  const gap = async () =>
    await count.evaluate(
      (after, before) => after.getBoundingClientRect().left - before.getBoundingClientRect().right,
      await name.elementHandle(),
    );
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
});
