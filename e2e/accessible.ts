import type { RunOptions } from 'axe-core';
import axe from 'axe-core';
import { expect, type Locator, type Page } from 'playwright/test';

/** The rules that depend on the theme; all others have the same result in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Fails on serious and critical violations that axe finds: by all its rules in the light theme, and by
 * those about colours also in the dark one. With `part` it checks only that, where the rest has been checked
 * before, such as behind an open dialog; its time grows with the number of elements.
 */
export async function expectAccessible(page: Page, where: string, part?: Locator): Promise<void> {
  // A reloaded page has lost it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const root = await (part ?? page.locator(':root')).elementHandle();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? colourRules : null;
    const found: unknown[] = [];
    // While a part is drawn anew, axe can judge none of its colours. What it finds counts, also when it looks again.
    await expect(async () => {
      const { grave, passed, unsure } = await page.evaluate(look, { root, rules });
      found.push(...grave);
      if (colorScheme === 'light') expect(passed.length).toBeGreaterThan(10);
      expect(passed, `${where}, ${colorScheme}: ${unsure.join('; ')}`).toContain('color-contrast');
    }).toPass({ timeout: 10_000 });
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
}

/**
 * Runs in the page. Asks for violations alone, because building paths to thousands of other elements takes most of the time, and
 * loads no style sheets or media beforehand, which serves the rules about turned screens and sound that plays by itself.
 */
async function look({ root, rules }: { root: Node | null; rules: string[] | null }) {
  // Colours may still be in transition.
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
  const options: RunOptions = { resultTypes: ['violations'], preload: false };
  if (rules !== null) options.runOnly = rules;
  const { violations, passes, incomplete } = await window.axe.run(root ?? document, options);
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return {
    grave: grave.map(({ id, nodes }) => ({
      rule: id,
      at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    })),
    passed: passes.map(({ id }) => id),
    unsure: incomplete.flatMap(({ id, nodes }) => `${id}: ${nodes[0]?.failureSummary ?? ''}`),
  };
}
