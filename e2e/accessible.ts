import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** What a theme can break; everything else that axe looks at is the same in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as far as it keeps somebody from using it: by all its rules in the light theme, and by
 * those about colours once more in the dark one.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Electron opens no second page for axe to work in. A path to each of thousands of sound elements takes most of
    // the time, and only violations are read.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
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
}
