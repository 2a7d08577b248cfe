import type { Locator, Page } from 'playwright/test';

export type View = 'Overview' | 'Activity' | 'Nodes' | 'Settings';

/** What a person does in the window, in their words. Everything is found by role and name. */
export class Watchkeeper {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async go(view: View): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
  }

  async watchAddress(address: string, label: string): Promise<void> {
    await this.go('Activity');
    await this.page.getByRole('button', { name: 'Watch an address' }).first().click();
    const dialog = this.page.getByRole('dialog', { name: 'Watch an address' });
    await dialog.getByLabel('Address', { exact: true }).fill(address);
    await dialog.getByLabel('Label').fill(label);
    await dialog.getByRole('button', { name: 'Watch address' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async addNode(name: string, url: string, interval?: string): Promise<void> {
    await this.go('Nodes');
    await this.page.getByRole('button', { name: 'Add a node' }).first().click();
    const dialog = this.page.getByRole('dialog', { name: 'Add a node' });
    await dialog.getByLabel('URL').fill(url);
    await dialog.getByLabel('Name').fill(name);
    if (interval !== undefined)
      await dialog.getByLabel('Ask for its health').selectOption({ label: interval });
    await dialog.getByRole('button', { name: 'Add node' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async saveKey(key: string): Promise<void> {
    await this.go('Settings');
    await this.page.getByLabel('Key', { exact: true }).or(this.page.getByLabel('Replace the key')).fill(key);
    await this.page.getByRole('button', { name: /^(Save|Replace) key$/ }).click();
    await this.page.getByText('Saved', { exact: true }).waitFor();
  }

  /** The merged timeline of the Activity view. */
  get timeline(): Locator {
    return this.page.getByRole('grid', { name: 'Transactions' });
  }

  get checks(): Locator {
    return this.page.getByRole('table', { name: 'Checks' });
  }

  /** How far the histories that are shown have come. */
  get progress(): Locator {
    return this.page.getByRole('status', { name: 'Progress' });
  }

  get drawer(): Locator {
    return this.page.getByRole('dialog', { name: 'Transaction' });
  }

  /** The panel of one node. */
  node(name: string): Locator {
    return this.page.getByRole('article', { name });
  }

  get connection(): Locator {
    return this.page.getByRole('status', { name: 'Connection' });
  }
}
