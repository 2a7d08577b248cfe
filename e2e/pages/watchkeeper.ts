import type { Locator, Page } from 'playwright/test';

export type View = 'Overview' | 'Activity' | 'Nodes' | 'Explore' | 'Settings';

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
    // What is to be said about the address is said first; a second press adds the node all the same.
    const advice = dialog.getByRole('region', { name: 'What the address answers' }).getByRole('listitem');
    const isAdded = await Promise.race([
      dialog.waitFor({ state: 'hidden' }).then(() => true),
      advice
        .first()
        .waitFor()
        .then(() => false),
    ]);
    if (!isAdded) await dialog.getByRole('button', { name: /^Add (node|anyway)$/ }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async saveKey(key: string): Promise<void> {
    await this.go('Settings');
    await this.keyInput.fill(key);
    await this.page.getByRole('button', { name: /^(Save|Replace) key$/ }).click();
    await this.page.getByText('Saved', { exact: true }).waitFor();
  }

  /** The field for the API key in Settings, under either of its names. */
  get keyInput(): Locator {
    return this.page.getByLabel('Key', { exact: true }).or(this.page.getByLabel('Replace the key'));
  }

  get keyStatus(): Locator {
    return this.page.getByRole('status', { name: 'API key status' });
  }

  get keyTestButton(): Locator {
    return this.page.getByRole('button', { name: 'Test key' });
  }

  /** Asks for what is new on all chains of a watched address, by the menu beside it. */
  async fetchAllChains(label: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${label}` }).click();
    await this.page.getByRole('menuitem', { name: 'Fetch all chains' }).click();
  }

  async stopWatching(label: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${label}` }).click();
    await this.page.getByRole('menuitem', { name: 'Stop watching' }).click();
    await this.page.getByRole('dialog').getByRole('button', { name: 'Stop watching' }).click();
  }

  /** Asks the node that is shown for its health. */
  async pollNow(): Promise<void> {
    await this.page.getByRole('button', { name: 'Poll now' }).click();
  }

  /** What the view says about something that went wrong, by its heading. */
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

  get checks(): Locator {
    return this.page.getByRole('table', { name: 'Checks' });
  }

  /** How far the histories that are shown have come. */
  get progress(): Locator {
    return this.page.getByRole('status', { name: 'Progress' });
  }

  /** Rows of the timeline that match, without those that are hidden; waits until they are counted. */
  async matching(): Promise<{ shown: number; hidden: number }> {
    const count = this.page.getByRole('status', { name: 'Matching transactions' });
    await count.filter({ hasText: /transaction/ }).waitFor();
    const hidden = await this.page
      .getByRole('button', { name: /hidden/ })
      .first()
      .innerText();
    const figure = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 0);
    return { shown: figure(await count.innerText()), hidden: figure(hidden) };
  }

  /** Waits until the rows on the screen are complete, so that nothing is asked for by itself any more. */
  async completed(): Promise<void> {
    await this.timeline.getByRole('row').filter({ hasText: 'Complete' }).first().waitFor();
    await this.page.getByText(/^Completing: /).waitFor({ state: 'hidden' });
  }

  async stopFetching(): Promise<void> {
    await this.page.getByRole('button', { name: 'Stop fetching' }).click();
  }

  get drawer(): Locator {
    return this.page.getByRole('dialog', { name: 'Transaction' });
  }

  /** Shows a part of the panel of a node or a recording. */
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

  /** Chooses what to ask in the Explore view. */
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
