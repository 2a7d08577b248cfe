import type { RunSummary } from '../src/shared/explore/types.ts';
import type { Machine } from './machine.ts';
import { addresses } from './service-answers.ts';

type App = NonNullable<Machine['app']>;

/** The most pages of a list that the user looks at. */
const mostPages = 3;

/** What the user has asked in Explore and looked up, and what of that must still be there. */
export function pastAnswers(machine: Machine, broken: (words: string) => void) {
  /** Each page of a query as it was first read. */
  const pages = new Map<string, string>();
  const runs = new Set<string>();
  /** How many pages of a list that was looked up are stored, by service, chain and address. */
  const lists = new Map<string, number>();

  async function ask(app: App, which: number, pages: 'one' | 'all'): Promise<void> {
    const params = paramsOf(which);
    const target = { kind: 'endpoint', endpointId: 'address-transactions', params } as const;
    const begun = await app.invoke('runs.start', { target: { ...target, params }, pages });
    if (begun.ok) await read(app, begun.value);
  }

  async function lookUp(app: App, which: number): Promise<void> {
    const params = paramsOf(which);
    await query(app, params, 'if-stale');
    for (let page = 0; page < mostPages; page += 1) {
      const stored = await storedOf(app, params);
      if (stored.next === null) break;
      await query(app, { ...params, pageToken: stored.next }, 'if-stale');
    }
    await checkList(app, params);
  }

  /** Everything that was there is there as it was. */
  async function check(app: App): Promise<void> {
    const filter = { text: '', states: [], asked: null, fromMs: null, beforeMs: null };
    const listed = await app.invoke('runs.list', { filter, offset: 0, limit: 200 });
    if (!listed.ok) return;
    const ids = new Set(listed.value.runs.map(({ id }) => id));
    for (const id of runs) if (!ids.has(id)) broken(`query ${id} is not listed any more`);
    for (const run of listed.value.runs) await read(app, run);
    for (const [which] of addresses.entries()) await checkList(app, paramsOf(which));
  }

  async function read(app: App, run: RunSummary): Promise<void> {
    runs.add(run.id);
    const times: number[] = [];
    for (let index = 0; index < run.pageCount; index += 1) {
      const page = await app.invoke('runs.page', { runId: run.id, index });
      if (!page.ok) {
        if (page.error.code === 'not-found') broken(`page ${index} of query ${run.id} is gone`);
        return;
      }
      const text = await app.invoke('runs.text', { runId: run.id, index });
      if (!text.ok) return;
      const { fetchedAtMs } = page.value;
      const now = `${fetchedAtMs} ${text.value}`;
      const before = pages.get(`${run.id} ${index}`);
      pages.set(`${run.id} ${index}`, now);
      if (before !== undefined && before !== now)
        broken(`page ${index} of query ${run.id} is not as it came`);
      times.push(fetchedAtMs);
    }
    if (times.length === 0) return;
    const { fromMs, toMs } = run.fetched ?? {};
    if (fromMs !== Math.min(...times) || toMs !== Math.max(...times))
      broken(`query ${run.id} is called of ${fromMs} to ${toMs}, and its pages are of ${times.join(', ')}`);
  }

  async function checkList(app: App, params: Readonly<Record<string, string>>): Promise<void> {
    const service = machine.app?.services().settings.current().service.dataUrl;
    const key = `${service} ${params['chainId']} ${params['address']}`;
    const before = lists.get(key) ?? 0;
    let { count, isWhole } = await storedOf(app, params);
    // It may have been replaced while its pages were read one by one.
    if (count < before && !isWhole) ({ count, isWhole } = await storedOf(app, params));
    // While the service changes, it is open whose list this was.
    if (machine.app?.services().settings.current().service.dataUrl !== service) return;
    if (count < before && !isWhole)
      broken(`of a list that was looked up ${count} pages are left of ${before}`);
    lists.set(key, count);
  }

  /** How many pages are stored of a list, and the token behind them; null at its end. */
  async function storedOf(
    app: App,
    params: Readonly<Record<string, string>>,
  ): Promise<{ count: number; next: string | null; isWhole: boolean }> {
    let [count, next]: [number, string | null] = [0, null];
    for (;;) {
      const page = await query(app, next === null ? params : { ...params, pageToken: next }, 'cached');
      if (page === null) return { count, next, isWhole: false };
      count += 1;
      next = page.next;
      if (next === null) return { count, next, isWhole: true };
    }
  }

  async function query(
    app: App,
    params: Readonly<Record<string, string>>,
    refresh: 'if-stale' | 'cached',
  ): Promise<{ next: string | null } | null> {
    const answer = await app.invoke('endpoint.query', {
      endpointId: 'address-native-transactions',
      params: { ...params },
      refresh,
      includeRaw: false,
      requestId: 'world',
    });
    if (!answer.ok) return null;
    const { data } = answer.value;
    const next = 'nextPageToken' in data ? data.nextPageToken : undefined;
    return { next: typeof next === 'string' && next !== '' ? next : null };
  }

  return { ask, lookUp, check };
}

export type PastAnswers = ReturnType<typeof pastAnswers>;

function paramsOf(which: number): Record<string, string> {
  return { chainId: '43114', address: addresses[which % addresses.length] ?? addresses[0], pageSize: '100' };
}
