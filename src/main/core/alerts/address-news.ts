import { describeMovement, type DescribedLeg } from '../../../shared/activity/describe.ts';
import { everything } from '../../../shared/activity/filter.ts';
import { lookAlikeIn } from '../../../shared/activity/look-alike.ts';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import { addressNews, type AddressNewsKind, type AlertMember } from '../../../shared/alerts/types.ts';
import { newsWords } from '../../../shared/alerts/words.ts';
import { formatAmount } from '../../../shared/amounts.ts';
import { writeAppLink } from '../../../shared/app-link.ts';
import { listed } from '../../../shared/health/names.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import { cleanText, shortHash } from '../../../shared/text.ts';
import type { ActivityRowsService } from '../activity/completion/activity-rows.ts';
import type { ExportNames } from '../activity/export/export-names.ts';
import type { Clock } from '../ports.ts';
import type { SettingsService } from '../settings/settings-service.ts';

/** The rows of the service in use. */
export interface NewsSource {
  rows: Pick<ActivityRowsService, 'read' | 'news'>;
  names: ExportNames;
  /** When the address was added to the watchlist; null while it is not there. */
  addedAtMs(address: string): number | null;
}

/** Transactions of older blocks cause no alert, so that fetching a history later causes none. */
const youngestMs = 86_400_000;
/** Transactions within this time become one message, though the first waits no longer than `longestMs`. */
const togetherMs = 5_000;
const longestMs = 120_000;
const pageSize = 500;
/** Newest rows that are looked at for one that moved something. */
const mostTried = 20;

type Choice = AlertSettings['addresses'][number];

interface AddressNewsDeps {
  source: () => NewsSource | null;
  settings: SettingsService;
  clock: Clock;
}

/** Finds what is new at the addresses that the user has chosen. */
export function createAddressNews({ source, settings, clock }: AddressNewsDeps) {
  /** Since when, and when last, rows have changed that were not looked at; after a start there may be some. */
  let change: { firstMs: number; lastMs: number } | null = { firstMs: -Infinity, lastMs: -Infinity };
  const told = new Set<string>();
  return {
    /** The user was alerted to these, maybe before the app was started. */
    remember(members: readonly AlertMember[]): void {
      for (const { rule, ids } of members) if (rule === 'address') for (const id of ids) told.add(id);
    },

    /** Must be called when rows of a watched address have been stored. */
    changed(): void {
      const nowMs = clock.nowMs();
      change = { firstMs: change?.firstMs ?? nowMs, lastMs: nowMs };
    },

    /** What to alert to now. Rejects when the store cannot be read; the next call finds the same. */
    async look(): Promise<AlertMember[]> {
      const [chain, seen, nowMs] = [source(), change, clock.nowMs()];
      if (chain === null || seen === null) return [];
      const isSettled = Math.abs(nowMs - seen.lastMs) >= togetherMs;
      if (!isSettled && nowMs - seen.firstMs < longestMs) return [];
      const found: AlertMember[] = [];
      const chosen = Map.groupBy(settings.current().alerts.addresses, ({ address }) => address);
      for (const [address, choices] of chosen) {
        const addedAtMs = chain.addedAtMs(address);
        // What came before it was added again is no news.
        const since = choices.map((one) => ({ ...one, sinceMs: Math.max(one.sinceMs, addedAtMs ?? 0) }));
        if (addedAtMs !== null) found.push(...(await newsOf(address, since, chain, nowMs, told)));
      }
      // What has changed meanwhile may be missing.
      if (change === seen) change = null;
      return found;
    },
  };
}

/** The newest row of the timeline that moved something, in words; null without any. Rejects when the store cannot be read. */
export async function newestNews({ rows, names }: NewsSource): Promise<NewestNews | null> {
  const page = await rows.read({ filter: everything, offset: 0, anchor: null, limit: mostTried });
  for (const row of page.rows) {
    const { address, chainId, txHash, timestampMs: atMs } = row;
    const found = wordsOf(row, addressNews, names);
    const link = writeAppLink({ view: 'transaction', chainId, txHash });
    if (found !== null) return { words: `${nameOf(address, names)} ${found.words}`, atMs, link };
  }
  return null;
}

export interface NewestNews {
  words: string;
  atMs: number;
  /** To its transaction. */
  link: string;
}

interface News {
  row: ActivityRow;
  kind: AddressNewsKind;
  words: string;
}

async function newsOf(
  address: string,
  choices: readonly Choice[],
  { rows, names }: NewsSource,
  nowMs: number,
  told: ReadonlySet<string>,
): Promise<AlertMember[]> {
  const sinceMs = Math.min(...choices.map((one) => one.sinceMs));
  const fromMs = Math.max(sinceMs, nowMs - youngestMs);
  const news: News[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const page = await rows.news({ address, fromMs, seenMs: sinceMs, offset, limit: pageSize });
    for (const row of page) {
      const about = choices.filter((one) => one.sinceMs <= row.timestampMs).flatMap((one) => one.about);
      const found = told.has(idOf(row)) ? null : wordsOf(row, about, names);
      if (found !== null) news.push({ row, ...found });
    }
    if (page.length < pageSize) break;
  }
  const [first] = news;
  if (first === undefined) return [];
  const name = nameOf(address, names);
  const isOne = news.length === 1;
  const { chainId, txHash } = first.row;
  return [
    {
      ids: news.map(({ row }) => idOf(row)),
      rule: 'address',
      level: news.some(({ kind }) => kind === 'look-alike') ? 'wake' : 'tell',
      nodeId: address,
      nodeName: name,
      subject: 'address',
      words: isOne ? `${name} ${first.words}` : `${name}: ${news.length} new transactions (${counts(news)})`,
      because: [],
      sinceMs: Math.min(...news.map(({ row }) => row.timestampMs)),
      endedAtMs: nowMs,
      ...(isOne ? { transaction: { chainId, txHash } } : {}),
    },
  ];
}

const idOf = ({ chainId, txHash, address }: ActivityRow): string => `${chainId} ${txHash} ${address}`;

const nameOf = (address: string, names: ExportNames): string => names.nameOf(address) ?? shortHash(address);

function counts(news: readonly News[]): string {
  return addressNews
    .map((kind) => ({ kind, count: news.filter((one) => one.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${newsWords[kind].toLowerCase()}`)
    .join(', ');
}

/** Why to alert to a row; null if the user has chosen none of the reasons. */
function wordsOf(
  row: ActivityRow,
  about: readonly AddressNewsKind[],
  names: ExportNames,
): Pick<News, 'kind' | 'words'> | null {
  if (row.completeness === 'unreadable') return null;
  const movement = describeMovement(row, names.nativeToken(row.chainId));
  const { status, direction, legs, fee } = movement;
  const isOut = direction === 'out' || direction === 'both';
  const out = legs.filter((leg) => leg.direction === 'out');
  const paid = isOut ? lookAlikeIn({ ...movement, counterparty: null, legs: out }, names.lookAlikes()) : null;
  const did = status === 'unknown' ? 'may have ' : '';
  const sent = `${did}sent ${assets(out)}${sides(out, 'to', names)}`;
  const coming = legs.filter((leg) => leg.direction === 'in');
  const received = `${did}received ${assets(coming)}${sides(coming, 'from', names)}`;
  const possible: Readonly<Record<AddressNewsKind, string | null>> = {
    'look-alike': paid === null ? null : `${sent}, which looks like ${nameOf(paid.known, names)} but isn’t`,
    failed: status === 'failed' && fee.isPaidByAddress ? 'has a failed transaction' : null,
    sent: isOut ? (direction === 'both' ? `${sent} and ${received}` : sent) : null,
    received: direction === 'in' || direction === 'both' ? received : null,
  };
  const kind = addressNews.find((one) => about.includes(one) && possible[one] !== null);
  const words = kind === undefined ? null : possible[kind];
  return kind === undefined || words === null ? null : { kind, words };
}

/** Each once, with all of its parts, which may be equal. */
function assets(legs: readonly DescribedLeg[]): string {
  const byAsset = Map.groupBy(legs, ({ asset }) => (asset.kind === 'erc721' ? asset.contract : asset.key));
  return listed(
    [...byAsset.values()].flatMap((parts) => {
      const sum = parts.reduce<bigint | null>(
        (before, { amount }) => (before === null || amount === null ? null : before + BigInt(amount)),
        0n,
      );
      return parts.slice(0, 1).map(({ asset }) => {
        const name = cleanText(asset.symbol ?? asset.name ?? 'an unknown token', 30);
        const text = sum === null ? null : formatAmount(sum, asset.decimals);
        if (asset.kind === 'erc721' || text === null) return name;
        return text.unit === 'token' ? `${text.text} ${name}` : `${text.text} base units of ${name}`;
      });
    }),
  );
}

function sides(legs: readonly DescribedLeg[], way: 'to' | 'from', names: ExportNames): string {
  const parties = legs.flatMap((leg) => (way === 'to' ? leg.to : leg.from)?.address ?? []);
  const known = [...new Set(parties)].map((address) => nameOf(address, names));
  return known.length === 0 ? '' : ` ${way} ${listed(known)}`;
}
