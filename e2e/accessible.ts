import type { RunOptions } from 'axe-core';
import axe from 'axe-core';
import { expect, type Locator, type Page } from 'playwright/test';

/** What a theme can break; everything else that axe looks at is the same in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as far as it keeps somebody from using it: by all its rules in the light theme, and by
 * those about colours once more in the dark one. `part` is all that it looks at where the rest has been looked at
 * before, such as an open dialog; its time grows with the elements.
 */
export async function expectAccessible(page: Page, where: string, part?: Locator): Promise<void> {
  // A page that starts over has lost it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const root = await (part ?? page.locator(':root')).elementHandle();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { grave, passed } = await page.evaluate(look, {
      root,
      rules: colorScheme === 'dark' ? colourRules : null,
    });
    expect(grave, `${where}, ${colorScheme}`).toEqual([]);
    if (colorScheme === 'light') expect(passed.length).toBeGreaterThan(10);
    expect(passed).toContain('color-contrast');
  }
}

/** Runs in the page. A path to each of thousands of sound elements takes most of the time, and only violations are read. */
async function look({ root, rules }: { root: Node | null; rules: string[] | null }) {
  // Colours may go over from one to the other.
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
  const options: RunOptions = { resultTypes: ['violations'] };
  if (rules !== null) options.runOnly = rules;
  const { violations, passes } = await window.axe.run(root ?? document, options);
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return {
    grave: grave.map(({ id, nodes }) => ({
      rule: id,
      at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    })),
    passed: passes.map(({ id }) => id),
  };
}
