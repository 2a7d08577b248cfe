/** How one page is asked for. */
export interface PageCall {
  /** Null for the first page of a list. */
  token: string | null;
  signal: AbortSignal;
  /** To be told the token that the answer seems to name, before the answer is read (`FetchOptions.onNextToken`). */
  onNextToken: (token: string | null) => void;
}

interface Asked<Page> {
  token: string | null;
  page: Promise<Page>;
  /** Null when the answer names none at first sight, or when there is no answer. */
  nextToken: Promise<string | null>;
  abort: AbortController;
}

/**
 * Asks for the pages of a list in their order. The page after the one that has just arrived is asked for before that one
 * is read, so that the service and the app work at the same time; never more than one page ahead. A page that was asked
 * for ahead counts for nothing until `goOn` is called with its token.
 */
export class PageSequence<Page> {
  readonly #ask: (call: PageCall) => Promise<Page>;
  readonly #signal: AbortSignal;
  #current: Asked<Page>;
  #ahead: Asked<Page> | null = null;

  /** Asks for the first page at once. */
  constructor(token: string | null, signal: AbortSignal, ask: (call: PageCall) => Promise<Page>) {
    this.#ask = ask;
    this.#signal = signal;
    this.#current = this.#request(token);
  }

  /** The current page. `mayFollow` decides whether the page of a token may be asked for before this one is read. */
  async read(mayFollow: (token: string) => boolean): Promise<Page> {
    const token = await this.#current.nextToken;
    if (token !== null && mayFollow(token)) this.#ahead = this.#request(token);
    return await this.#current.page;
  }

  /**
   * Makes the page of this token the current one, or with null none. Returns what comes of a page that was asked for
   * ahead in vain and has been given up; null when there was none.
   */
  goOn(token: string | null): Promise<Page> | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null && ahead.token === token) {
      this.#current = ahead;
      return null;
    }
    if (token !== null) this.#current = this.#request(token);
    ahead?.abort.abort();
    return ahead?.page ?? null;
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#current.abort.abort();
    this.#ahead?.abort.abort();
  }

  #request(token: string | null): Asked<Page> {
    const abort = new AbortController();
    let tell: (token: string | null) => void = () => undefined;
    const nextToken = new Promise<string | null>((resolve) => {
      tell = resolve;
    });
    const signal = AbortSignal.any([this.#signal, abort.signal]);
    const page = this.#ask({ token, signal, onNextToken: tell }).finally(() => tell(null));
    // Nobody waits for a page that is given up; who does wait is told all the same.
    page.catch(() => undefined);
    return { token, page, nextToken, abort };
  }
}
