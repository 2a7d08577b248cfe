/** What a page of a list holds. */
export interface WrittenPage<Next> {
  /** The array of its items, as JSON in UTF-8. */
  readonly json: Buffer;
  /** Where the next page begins; null on the last one. */
  readonly next: Next;
}

export interface PageCache<Next> {
  /** The page with this key as it was written before, or as `write` writes it now. */
  get(key: string, write: () => WrittenPage<Next>): WrittenPage<Next>;
}

/**
 * Keeps the pages that were asked for last, up to `maxBytes` together. `version` tells one state of the world from
 * another: when it changes, everything is forgotten.
 */
export function createPageCache<Next>(maxBytes: number, version: () => string): PageCache<Next> {
  // In the order of their last use, which is the order of insertion that a Map keeps.
  const pages = new Map<string, WrittenPage<Next>>();
  let bytes = 0;
  let keptVersion = version();

  return {
    get(key, write) {
      if (version() !== keptVersion) {
        keptVersion = version();
        pages.clear();
        bytes = 0;
      }
      const known = pages.get(key);
      if (known !== undefined) {
        pages.delete(key);
        pages.set(key, known);
        return known;
      }
      const page = write();
      pages.set(key, page);
      bytes += page.json.length;
      for (const [oldestKey, oldest] of pages) {
        if (bytes <= maxBytes) break;
        pages.delete(oldestKey);
        bytes -= oldest.json.length;
      }
      return page;
    },
  };
}
