import { expect, type Locator, type Page } from 'playwright/test';

export const views = ['Overview', 'Activity', 'Nodes', 'Explore', 'Alerts', 'Settings'] as const;

export type View = (typeof views)[number];

/** What a user does in the window. Everything is found by role and name. */
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
    if (interval !== undefined) await dialog.getByLabel('Poll interval').selectOption({ label: interval });
    await dialog.getByRole('button', { name: 'Add node' }).click();
    // If there is advice about the address, the first press shows it; a second one adds the node anyway.
    const advice = dialog.getByRole('region', { name: 'Test result' }).getByRole('listitem');
    // What is no longer waited for is looked up twice a second for as long as the window lives, unless it is aborted.
    const over = new AbortController();
    const isAdded = await Promise.race([
      dialog.waitFor({ state: 'hidden' }).then(() => true),
      advice
        .first()
        .waitFor({ signal: over.signal })
        .then(() => false),
    ]);
    over.abort();
    if (!isAdded) await dialog.getByRole('button', { name: /^Add (node|anyway)$/ }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async saveKey(key: string): Promise<void> {
    await this.go('Settings');
    await this.keyInput.fill(key);
    await this.page.getByRole('button', { name: /^(Save|Replace) key$/ }).click();
    await this.page.getByText('Saved', { exact: true }).waitFor();
  }

  /** The field for the API key in Settings; it has two possible names. */
  get keyInput(): Locator {
    return this.page.getByLabel('Key', { exact: true }).or(this.page.getByLabel('Replace the key'));
  }

  get keyStatus(): Locator {
    return this.page.getByRole('status', { name: 'API key status' });
  }

  get keyTestButton(): Locator {
    return this.page.getByRole('button', { name: 'Test key' });
  }

  /** Fetches newer activity on all chains of a watched address, by the menu beside it. */
  async fetchAllChains(label: string): Promise<void> {
    await this.chooseFor(label, 'Fetch all transactions');
  }

  /** `what` becomes of its transactions, if there are any. */
  async stopWatching(label: string, what?: 'Delete them' | 'Keep them'): Promise<void> {
    await this.chooseFor(label, 'Stop watching');
    const dialog = this.page.getByRole('dialog', { name: 'Stop watching this address?' });
    if (what !== undefined) await dialog.getByRole('radio', { name: what }).check();
    await dialog.getByRole('button', { name: 'Stop watching' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Chooses an item of the menu beside a watched address. */
  async chooseFor(label: string, item: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${label}`, exact: true }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** The list of watched addresses with their chains. */
  get watched(): Locator {
    return this.page.getByRole('complementary', { name: 'Watched addresses' });
  }

  /** Polls the shown node. */
  async pollNow(): Promise<void> {
    await this.page.getByRole('button', { name: 'Poll now' }).click();
  }

  /** The view's notice about an error, by its heading. */
  notice(title: string): Locator {
    const main = this.page.getByRole('main');
    return main.getByRole('alert').or(main.getByRole('status')).filter({ hasText: title });
  }

  /** The banner over the panel of one node: its state, the reason, the age of its report. */
  nodeState(name: string): Locator {
    return this.node(name).getByRole('region', { name: 'State of the node' });
  }

  /** The merged timeline of the Activity view. */
  get timeline(): Locator {
    return this.page.getByRole('grid', { name: 'Transactions' });
  }

  /** The first row of the timeline, or the first one with this text. */
  row(text: string | RegExp = /[\d,]+/): Locator {
    return this.timeline
      .getByRole('row')
      .filter({ hasNot: this.page.getByRole('columnheader'), hasText: text })
      .first();
  }

  get search(): Locator {
    return this.page.getByRole('searchbox', { name: /^Search labels/ });
  }

  /** Adds a pill: its column, then the values to tick; `not` inverts it. */
  async filterBy(column: string, values: readonly (string | RegExp)[], not = false): Promise<void> {
    const editor = await this.newPill(column);
    if (not) await editor.getByRole('radiogroup', { name: 'Condition' }).getByText('is not').click();
    for (const value of values) await editor.getByRole('option', { name: value }).first().click();
    await this.page.keyboard.press('Escape');
    await editor.waitFor({ state: 'hidden' });
  }

  /** Adds a pill for a range; the last argument names the token of an amount. */
  async filterByRange(column: string, from: string, to: string, token?: string | RegExp): Promise<void> {
    const editor = await this.newPill(column);
    await editor.getByLabel('From').fill(from);
    await editor.getByLabel('To', { exact: true }).fill(to);
    if (token !== undefined) await editor.getByRole('option', { name: token }).first().click();
    await editor.getByRole('button', { name: 'Apply' }).click();
    await editor.waitFor({ state: 'hidden' });
  }

  private async newPill(column: string): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Add filter' }).click();
    const editor = this.page.getByRole('dialog', { name: /^(Add|Edit) filter$/ });
    await editor.getByRole('option', { name: column, exact: true }).click();
    return editor;
  }

  async clearFilters(): Promise<void> {
    await this.page.getByRole('button', { name: 'Clear all', exact: true }).click();
  }

  /** Chooses an item of a row's context menu. */
  async chooseForRow(row: Locator, item: string | RegExp, cell = 'Success'): Promise<void> {
    await row.getByText(cell, { exact: true }).click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Opens the drawer with the proven blocks. */
  async openCoverage(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Coverage', exact: true }).click();
    const drawer = this.page.getByRole('dialog', { name: 'Coverage' });
    await drawer.waitFor();
    return drawer;
  }

  /** Writes an export to the path given to `RunningApp.saveTo` before. */
  async exportActivity(format: 'CSV' | 'JSON Lines' | 'JSON', everything: boolean): Promise<void> {
    await this.page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Export activity' });
    await dialog
      .getByRole('radio', { name: everything ? /^All stored transactions/ : /^Transactions (that|in)/ })
      .check();
    await dialog.getByRole('radio', { name: new RegExp(`^${format} (One|All) `) }).check();
    await dialog.getByRole('button', { name: 'Save as…' }).click();
  }

  get checks(): Locator {
    return this.page.getByRole('table', { name: 'Checks' });
  }

  /** The progress of the shown histories. */
  get progress(): Locator {
    return this.page.getByRole('group', { name: 'Progress' });
  }

  /** How many rows match, without hidden ones; waits until they are counted. */
  async matching(): Promise<{ shown: number; hidden: number }> {
    const count = this.page.getByRole('group', { name: 'Matching transactions' });
    await count.filter({ hasText: /transaction/ }).waitFor();
    const hidden = await this.page
      .getByRole('button', { name: /hidden/ })
      .first()
      .innerText();
    const figure = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 0);
    return { shown: figure(await count.innerText()), hidden: figure(hidden) };
  }

  /** Waits until the unfiltered timeline counts as many rows as the list of addresses. */
  async settled(): Promise<void> {
    const all = this.watched.getByRole('button', { name: /^All addresses/ });
    const missing = async () => {
      const { shown, hidden } = await this.matching();
      return Number((await all.innerText()).replace(/\D/g, '')) - shown - hidden;
    };
    await expect.poll(missing).toBe(0);
  }

  /** Waits until the rows on the screen are complete, so that no automatic requests follow. */
  async completed(): Promise<void> {
    await this.row('Complete').waitFor();
    const partial = this.timeline.getByRole('row').filter({ hasText: 'Partial' });
    const isShown = (row: Element) => {
      const { top, bottom } = row.getBoundingClientRect();
      const list = row.closest('[role=grid]')?.getBoundingClientRect();
      return list !== undefined && bottom > list.top && top < list.bottom;
    };
    await expect
      .poll(async () => {
        const rows = await partial.elementHandles();
        return (await Promise.all(rows.map((row) => row.evaluate(isShown)))).filter(Boolean).length;
      })
      .toBe(0);
    await this.page.getByText(/^Fetching details: | waiting for a connection$/).waitFor({ state: 'hidden' });
  }

  async stopFetching(): Promise<void> {
    await this.page.getByRole('button', { name: 'Stop fetching' }).click();
  }

  get drawer(): Locator {
    return this.page.getByRole('dialog', { name: 'Transaction' });
  }

  /** Switches to a part of the panel of a node or recording. */
  async showPart(part: 'Health' | 'Incidents' | 'Replay'): Promise<void> {
    // The radio button itself is hidden behind its words.
    await this.page.getByRole('radiogroup', { name: 'Show' }).getByText(part, { exact: true }).click();
  }

  get incidents(): Locator {
    return this.page.getByRole('table', { name: 'Incidents' });
  }

  /** The panel of one node. */
  node(name: string): Locator {
    return this.page.getByRole('article', { name });
  }

  get connection(): Locator {
    return this.page.getByRole('status', { name: 'Connection' });
  }

  /** Chooses an endpoint or node call in the Explore view. */
  async choose(title: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Endpoints and node calls' })
      .getByRole('button', { name: title, exact: true })
      .click();
  }

  /** Fills in one parameter of the form, a text or a choice. */
  async fillParameter(name: string, value: string): Promise<void> {
    const form = this.page.getByRole('form', { name: 'Parameters' });
    const field = form.getByLabel(new RegExp(String.raw`^\s*${name}(\s+optional)?\s*$`));
    const fold = form.getByText('Optional parameters');
    if (!(await field.isVisible()) && (await fold.isVisible())) await fold.click();
    const isChoice = await field.evaluate((element) => element.tagName === 'SELECT');
    await (isChoice ? field.selectOption(value) : field.fill(value));
  }

  /** Sends the form of the Explore view. */
  async run(): Promise<void> {
    await this.page.getByRole('button', { name: 'Run', exact: true }).click();
  }

  /** What the Explore view shows of a query. */
  get result(): Locator {
    return this.page.getByRole('region', { name: 'Result' });
  }

  async showAs(tab: 'Chart' | 'Cards' | 'Table' | 'Record' | 'JSON'): Promise<void> {
    // The radio button itself is hidden behind its words.
    await this.result.getByRole('radiogroup', { name: 'Show as' }).getByText(tab, { exact: true }).click();
  }

  /** The list of past queries, opened. */
  async pastQueries(): Promise<Locator> {
    await this.page.getByRole('radiogroup', { name: 'List' }).getByText('Past queries').click();
    return this.page.getByRole('list', { name: 'Past queries' });
  }
}
