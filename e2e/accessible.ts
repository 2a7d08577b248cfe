import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from 'playwright/test';

/** What a theme can break; everything else that axe looks at is the same in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as far as it keeps somebody from using it: by all its rules in the light theme, and by
 * those about colours once more in the dark one. `part` is all that it looks at where the rest has been looked at
 * before, such as an open dialog; its time grows with the elements.
 */
export async function expectAccessible(page: Page, where: string, part?: Locator): Promise<void> {
  await part?.evaluate((element) => element.setAttribute('data-looked-at', ''));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Electron opens no second page for axe to work in. A path to each of thousands of sound elements takes most of
    // the time, and only violations are read.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    if (part !== undefined) axe.include('[data-looked-at]');
    if (colorScheme === 'dark') axe.withRules(colourRules);
    const { violations, passes } = await axe.analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const found = grave.map(({ id, nodes }) => ({
      rule: id,
      at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    }));
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
    if (colorScheme === 'light') expect(passes.length).toBeGreaterThan(10);
    expect(passes.map(({ id }) => id)).toContain('color-contrast');
  }
  await part?.evaluate((element) => element.removeAttribute('data-looked-at'));
}
