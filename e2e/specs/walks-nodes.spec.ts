import { cp } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { sampleNodes } from '../../sample-data/sample-data.ts';
import { seedPast } from '../../sample-data/seed-past.ts';
import { expect, test } from '../fixtures.ts';

/** Counts what a person does on the way to an answer. */
class Walk {
  steps = 0;

  async step(does: () => Promise<unknown>): Promise<void> {
    this.steps += 1;
    await does();
  }
}

// The second is walked to; a third year of past would only take its time.
test.use({ serviceOptions: { scale: 0.02, nodes: sampleNodes.slice(0, 2) } });

const answerOf = (page: Page) => page.getByRole('region', { name: 'Replay' });

/** The noon of yesterday, in words of the window. */
const noon = (): RegExp => {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return new RegExp(`${day} 12:00:00, \\w+, change \\d+ of \\d+$`);
};

async function expectNoon(page: Page): Promise<void> {
  const slider = answerOf(page).getByRole('slider', { name: 'Replay position' });
  await expect(slider).toHaveAttribute('aria-valuetext', noon());
  await expect(page.getByRole('table', { name: 'Checks' }).getByRole('row').nth(1)).toBeVisible();
}

test('what a node said yesterday at noon is found in four steps from a fresh start, by keyboard alone and by mouse alone', async ({
  profile,
  otherProfile,
  service,
}) => {
  // Its past takes longer to make than to copy.
  seedPast(profile.dir, service.pasts(), service.ready.nodes);
  await profile.useService(service);
  await cp(profile.dir, otherProfile.dir, { recursive: true });

  await test.step('by keyboard', async () => {
    const running = await profile.launch({ env: { TZ: 'UTC' } });
    const { page } = running;
    const { keyboard } = page;
    const walk = new Walk();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    /** Goes with the Tab key alone. */
    const tabTo = async (selector: string) => {
      for (let at = 0; at < 40; at += 1) {
        await keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector))
          return;
      }
      throw new Error(`${selector} is not reached`);
    };
    await walk.step(() => keyboard.press('Control+k'));
    await walk.step(async () => {
      await keyboard.type('harbor-2');
      await page
        .getByRole('option', { name: /harbor-2/ })
        .first()
        .waitFor();
      await keyboard.press('Enter');
    });
    await walk.step(async () => {
      await tabTo('[role=radiogroup][aria-label=Show] input');
      await keyboard.press('End');
      await keyboard.press('ArrowLeft');
    });
    await walk.step(async () => {
      await tabTo('[placeholder="yesterday 12:00"]');
      await keyboard.type('yesterday 12:00');
      await keyboard.press('Enter');
    });
    await expectNoon(page);
    expect(walk.steps).toBe(4);
    await running.quit();
  });

  await test.step('by mouse', async () => {
    const { page } = await otherProfile.launch({ env: { TZ: 'UTC' } });
    const walk = new Walk();
    const press = (role: 'button' | 'radio', name: string | RegExp) =>
      walk.step(() =>
        page
          .getByRole(role, { name })
          .first()
          .click({ force: role === 'radio' }),
      );
    await press('button', 'Nodes');
    await press('button', /^harbor-2/);
    await press('radio', 'Replay');
    await press('button', 'Yesterday 12:00');
    await expectNoon(page);
    expect(walk.steps).toBe(4);
  });
});
