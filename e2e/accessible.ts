import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** What axe finds on the page in both themes, as far as it keeps somebody from using it. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Electron opens no second page for axe to work in.
    const { violations, passes } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const found = grave.map(({ id, nodes }) => ({
      rule: id,
      at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    }));
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
    expect(passes.length).toBeGreaterThan(10);
  }
}
