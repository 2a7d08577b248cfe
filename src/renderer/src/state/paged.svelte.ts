import type { AppError } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';

/** How the pages of a list are asked for and read. */
export interface PageSource<Page, Item> {
  read: (question: PageQuestion) => Reply<Page>;
  itemsOf: (page: Page) => readonly Item[];
  /** The same for the same element: a list that has moved on meanwhile brings some again. */
  keyOf: (item: Item) => string;
  /** Asks for the page after this one, `count` elements being shown with it; without one it was the last. */
  tokenOf: (page: Page, count: number) => string | null | undefined;
  /** Why a page is as it was stored, though a newer one was wanted. */
  refreshErrorOf?: (page: Page) => AppError | undefined;
}

export interface PageQuestion {
  /** Null: the first page. */
  token: string | null;
  /** How many elements are shown. */
  count: number;
  /** What is shown is to be read again, however new it is. */
  again: boolean;
  /** Ends when the answer is no longer waited for. */
  signal: AbortSignal;
}

/** A list that is read page by page. What has arrived stays when the next page or another look fails. */
export class Paged<Page, Item> {
  items = $state.raw<readonly Item[]>([]);
  /** The answers that `items` came in. */
  pages = $state.raw<readonly Page[]>([]);
  loading = $state<'first' | 'more' | null>(null);
  /** Why the page that was asked for last did not come, or not as new. */
  error = $state.raw<AppError | null>(null);
  /** Where the list goes on. Until another one has answered, that is a place in the list before, which leads nowhere in it. */
  #next = $state.raw<{ token: string; of: PageSource<Page, Item> } | null>(null);
  #source: PageSource<Page, Item> | null = null;
  /** The page that was asked for last. */
  #asked: string | null = null;
  #question: AbortController | null = null;

  /** Some page has been read: the list is known as far as it goes. */
  get loaded(): boolean {
    return this.pages.length > 0;
  }

  get atEnd(): boolean {
    return this.loaded && (this.#next === null || (this.loading === null && this.#next.of !== this.#source));
  }

  /** Begins another list; the one before is shown until then when `keep` is set. */
  async load(source: PageSource<Page, Item>, keep = false): Promise<void> {
    this.#source = source;
    if (!keep) {
      this.items = [];
      this.pages = [];
    }
    await this.#ask(null, false);
  }

  /** Looks again from the first page on; what is shown stays until the answer is here. */
  async refresh(): Promise<void> {
    await this.#ask(null, true);
  }

  async more(): Promise<void> {
    const next = this.#next;
    if (next?.of === this.#source && this.loading === null) await this.#ask(next.token, false);
  }

  /** Asks again for the page that did not come. */
  async retry(): Promise<void> {
    await this.#ask(this.#asked, true);
  }

  /** Gives up a page that is under way. */
  stop(): void {
    this.#question?.abort();
    this.loading = null;
  }

  async #ask(token: string | null, again: boolean): Promise<void> {
    const source = this.#source;
    if (source === null) return;
    this.stop();
    const { signal } = (this.#question = new AbortController());
    this.#asked = token;
    this.loading = token === null ? 'first' : 'more';
    this.error = null;
    const result = await source.read({ token, count: this.items.length, again, signal });
    if (signal.aborted) return;
    this.loading = null;
    const refreshError = result.ok ? source.refreshErrorOf?.(result.value) : result.error;
    this.error = refreshError ?? null;
    // What is stored of the first page says less than the pages that are shown.
    const isNoNews = token === null && refreshError !== undefined && this.loaded;
    if (result.ok && !isNoNews) this.#put(source, result.value, token);
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
    // A page that leads to itself would be asked for for ever.
    this.#next = next === '' || next === token ? null : { token: next, of: source };
  }
}
