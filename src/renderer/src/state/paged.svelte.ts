import type { AppError } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';

/** How the pages of a list are asked for and read. */
export interface PageSource<Page, Item> {
  read: (question: PageQuestion) => Reply<Page>;
  itemsOf: (page: Page) => readonly Item[];
  /** Identifies an element: when the list grows between two pages, the second repeats some of the first. */
  keyOf: (item: Item) => string;
  /** The token of the next page, `count` elements being shown with this one; none after the last page. */
  tokenOf: (page: Page, count: number) => string | null | undefined;
  /** Why a page is the stored one, though a newer one was wanted. */
  refreshErrorOf?: (page: Page) => AppError | undefined;
}

export interface PageQuestion {
  /** Null: the first page. */
  token: string | null;
  /** How many elements are shown. */
  count: number;
  /** Refresh, even if the stored answer is recent. */
  again: boolean;
  /** Aborted when the answer is no longer needed. */
  signal: AbortSignal;
}

/** A list that is read page by page. What has arrived stays when the next page or a refresh fails. */
export class Paged<Page, Item> {
  items = $state.raw<readonly Item[]>([]);
  /** The answers that contained `items`. */
  pages = $state.raw<readonly Page[]>([]);
  loading = $state<'first' | 'more' | null>(null);
  /** Why the last request failed, or why it got only the stored answer. */
  error = $state.raw<AppError | null>(null);
  /** The token of the page after those that are shown. */
  #next = $state.raw<string | null>(null);
  /** The last page leads to one that was read before, so there may be more than what is shown. */
  isEndless = $state(false);
  /** Tokens that pages of the list have named. */
  #tokens = new Set<string>();
  #source: PageSource<Page, Item> | null = null;
  /** The list that is shown: after a switch the old one, until the new one answers. */
  #shown: PageSource<Page, Item> | null = null;
  /** The page that was asked for last. */
  #asked: string | null = null;
  #question: AbortController | null = null;
  /** The next page is wanted: a refresh only puts it off. */
  #wantsMore = false;

  /** At least one page has been read. */
  get loaded(): boolean {
    return this.pages.length > 0;
  }

  get atEnd(): boolean {
    return this.loaded && this.#next === null;
  }

  /** Begins another list; with `keep` the old one is shown until the new one answers. */
  async load(source: PageSource<Page, Item>, keep = false): Promise<void> {
    this.#source = source;
    this.#wantsMore = false;
    if (!keep) this.#clear();
    await this.#ask(null, false);
  }

  /** Refreshes from the first page on; what is shown stays until the answer arrives. */
  async refresh(): Promise<void> {
    await this.#ask(null, true);
  }

  async more(): Promise<void> {
    if (this.#next === null || this.#shown !== this.#source) return;
    this.#wantsMore = true;
    if (this.loading === null) await this.#ask(this.#next, false);
  }

  /** Asks again for the page that failed. */
  async retry(): Promise<void> {
    await this.#ask(this.#asked, true);
  }

  /** Cancels the request under way. */
  stop(): void {
    this.#question?.abort();
    this.#wantsMore = false;
    this.loading = null;
  }

  async #ask(token: string | null, again: boolean): Promise<void> {
    const source = this.#source;
    if (source === null) return;
    this.#question?.abort();
    const { signal } = (this.#question = new AbortController());
    this.#asked = token;
    this.loading = token === null ? 'first' : 'more';
    this.error = null;
    const result = await source.read({ token, count: this.items.length, again, signal });
    if (signal.aborted) return;
    this.loading = null;
    const refreshError = result.ok ? source.refreshErrorOf?.(result.value) : result.error;
    this.error = refreshError ?? null;
    const isOther = this.#shown !== source;
    // A stored first page is no better than the pages that are shown.
    const isNoNews = token === null && refreshError !== undefined && !isOther;
    if (result.ok && !isNoNews) this.#put(source, result.value, token);
    // Otherwise elements of the old list would pass for those of the new one.
    else if (isOther) this.#clear();
    const goesOn = this.#wantsMore && token === null && this.error === null;
    this.#wantsMore = false;
    if (goesOn) await this.more();
  }

  #clear(): void {
    this.items = [];
    this.pages = [];
    this.isEndless = false;
    this.#shown = null;
  }

  #put(source: PageSource<Page, Item>, page: Page, token: string | null): void {
    const before = token === null ? [] : this.items;
    const keys = new Set(before.map(source.keyOf));
    const fresh = source.itemsOf(page).filter((item) => {
      const key = source.keyOf(item);
      return !keys.has(key) && keys.add(key);
    });
    this.items = [...before, ...fresh];
    this.pages = token === null ? [page] : [...this.pages, page];
    const next = source.tokenOf(page, this.items.length) ?? '';
    if (token === null) this.#tokens = new Set();
    // Pages that lead to each other would be asked for without end.
    this.isEndless = next !== '' && this.#tokens.has(next);
    this.#tokens.add(next);
    this.#next = next === '' || this.isEndless ? null : next;
    this.#shown = source;
  }
}
