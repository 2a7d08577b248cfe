import { ValueCounts } from '../../../main/adapters/storage/activity/value-counts.ts';
import { valuesOf } from '../../../main/adapters/storage/testing/row-values.ts';
import { listIds, type ActivityRows, type SyncPlan } from '../../../shared/activity/types.ts';
import { err, ok } from '../../../shared/errors.ts';
import type { Emit, FakeAnswers } from './fake-answers.ts';
import { matched, matchingRows, namesOf } from './sample-filter.ts';
import { watched, type World } from './sample-world.ts';

type ActivityChannel = Extract<keyof FakeAnswers, `${'activity' | 'watchlist' | 'book'}.${string}`>;

/** Answers about addresses and their history, from the rows of the sample world. */
export function activityAnswers(world: World, emit: Emit): Pick<FakeAnswers, ActivityChannel> {
  const { snapshot } = world;
  const putWatchlist = (watchlist: typeof snapshot.watchlist) => {
    snapshot.watchlist = watchlist;
    emit('watchlist.changed', watchlist);
  };
  const putBook = (book: typeof snapshot.book) => {
    snapshot.book = book;
    emit('book.changed', book);
  };
  const decided = new Map<string, 'show' | 'hide' | null>();
  const findRow = (rowId: number) => world.rows.find((row) => row.id === rowId);
  const missing = err({ code: 'not-found', message: 'no such thing in the sample world' } as const);
  const list = (args: Parameters<FakeAnswers['activity.rows']>[0]): ActivityRows => {
    const matching = matchingRows(world, args.filter);
    const rows = args.filter.showHidden
      ? matching
      : matching.filter((row) => row.marks.spam.hiddenReason === null);
    const anchor = args.anchor;
    const place = anchor === null ? -1 : rows.findIndex((row) => row.id === anchor.rowId);
    const offset = anchor === null || place < 0 ? args.offset : Math.max(0, place - anchor.before);
    return {
      rows: rows.slice(offset, offset + args.limit),
      offset,
      totalCount: rows.length,
      hiddenCount: matching.length - rows.length,
      partialCount: rows.filter((row) => row.completeness === 'partial').length,
      unrankedCount: 0,
    };
  };
  return {
    'watchlist.add': ({ address, label }) => {
      const added = watched(address, label, world.nowMs, {
        addedAtMs: world.nowMs,
        chainsFetchedAtMs: null,
        chainsLoading: true,
      });
      putWatchlist([...snapshot.watchlist, added]);
      return ok(added);
    },
    'watchlist.addMany': ({ text }) =>
      ok(
        text.split('\n').map((input, index) => ({
          line: index + 1,
          input,
          outcome: input.startsWith('0x') ? ('added' as const) : ('not-an-address' as const),
          address: input.startsWith('0x') ? input : null,
        })),
      ),
    'watchlist.update': ({ address, ...change }) => {
      putWatchlist(
        snapshot.watchlist.map((entry) => (entry.address === address ? { ...entry, ...change } : entry)),
      );
      return ok(null);
    },
    'watchlist.remove': ({ address }) => {
      putWatchlist(snapshot.watchlist.filter((entry) => entry.address !== address));
      return ok({ undoId: `address ${address}` });
    },
    'watchlist.export': ({ format }) => ok({ path: `/home/me/addresses.${format}` }),
    'book.put': ({ address, name, note }) => {
      const entry = { address, name, note, changedAtMs: world.nowMs };
      putBook([...snapshot.book.filter((known) => known.address !== address), entry]);
      return ok(entry);
    },
    'book.remove': ({ address }) => {
      putBook(snapshot.book.filter((known) => known.address !== address));
      return ok({ undoId: `name ${address}` });
    },
    'activity.rows': (args) => ok(list(args)),
    'activity.values': ({ field, text, limit }) => {
      const counts = new ValueCounts();
      for (const row of world.rows)
        for (const value of valuesOf(matched(row), field, namesOf(world))) counts.add(...value);
      return ok(counts.top(text, limit));
    },
    'activity.plan': ({ scope, what }): ReturnType<FakeAnswers['activity.plan']> => {
      const items: SyncPlan['items'] = snapshot.watchlist
        .filter((entry) => scope.address === null || entry.address === scope.address)
        .flatMap((entry) =>
          entry.chains
            .filter((chain) => scope.chainId === null || chain.chainId === scope.chainId)
            .flatMap((chain) =>
              (what === 'all' ? listIds : (['transactions'] as const)).map((listId) => ({
                address: entry.address,
                chainId: chain.chainId,
                list: listId,
                leastCalls: 1,
                estimatedCalls: 12,
              })),
            ),
        );
      const estimatedCalls = items.length * 12;
      return ok({
        items,
        leastCalls: items.length,
        estimatedCalls,
        estimatedMs: estimatedCalls * 250,
        share: { window: 'day', part: estimatedCalls / 60_000 },
      });
    },
    'activity.ledger': ({ address, chainId }) => {
      const entry = snapshot.watchlist.find((candidate) => candidate.address === address);
      const chain = entry?.chains.find((candidate) => candidate.chainId === chainId);
      if (chain === undefined) return missing;
      return ok(
        [{ list: 'transactions' as const, sync: chain.sync }, ...chain.otherLists].map((ledger) => ({
          ...ledger,
          proofs: ledger.sync.covered.map((interval, index) => ({
            ...interval,
            runId: `run-${index + 1}`,
            provenAtMs: world.nowMs - 90_000,
          })),
        })),
      );
    },
    'activity.text': ({ rowId }) => {
      const row = world.rows.find(({ id }) => id === rowId);
      const text = JSON.stringify(row?.transaction);
      return ok(row === undefined ? null : { text, isReceived: true, requestUrl: null });
    },
    'activity.versions': ({ rowId }) => {
      const row = findRow(rowId);
      return row === undefined
        ? missing
        : ok(
            Array.from({ length: row.marks.versionCount }, () => ({
              why: row.marks.reorg ?? ('integrity' as const),
              transactionJson: JSON.stringify(row.transaction),
              fetchedAtMs: row.fetchedAtMs - 60_000,
              replacedAtMs: row.fetchedAtMs,
            })),
          );
    },
    'activity.audit': ({ address, chainId }) => {
      const rows = world.rows.filter((row) => row.address === address && row.chainId === chainId);
      return ok({
        gaps: rows.slice(0, 2).map((row) => ({
          txHash: row.txHash.replace(/.{4}$/, 'beef'),
          blockNumber: row.blockNumber,
          timestampMs: row.timestampMs,
          presentIn: ['erc20' as const],
          missingIn: 'transactions' as const,
        })),
        isCut: false,
        compared: ['erc20' as const, 'native' as const],
        notCompared: [
          { list: 'erc1155' as const, why: 'never-fetched' as const },
          { list: 'internal' as const, why: 'no-common-blocks' as const },
        ],
        transactionCount: rows.length,
      });
    },
    'activity.judge': ({ target, decision }) => {
      const key = JSON.stringify(target);
      const before = decided.get(key) ?? null;
      decided.set(key, decision);
      world.rows = world.rows.map((row) => {
        const isMeant =
          target.kind === 'row'
            ? row.id === target.rowId
            : matched(row).facets.tokens.some(({ token }) => token === target.token);
        if (!isMeant) return row;
        const { rules } = row.marks.spam;
        const hiddenReason =
          decision === null ? (rules[0] ?? null) : decision === 'hide' ? ('user' as const) : null;
        const decidedFor = decision === null ? null : target.kind;
        return {
          ...row,
          marks: { ...row.marks, spam: { rules, decision, decidedFor, hiddenReason } },
        };
      });
      const changed = snapshot.watchlist.flatMap((entry) => entry.chains.map((chain) => ({ entry, chain })));
      for (const { entry, chain } of changed) {
        emit('activity.changed', {
          address: entry.address,
          chainId: chain.chainId,
          list: 'transactions',
          sync: chain.sync,
        });
      }
      return ok(before);
    },
    'activity.export': ({ format }) => ok({ path: `/home/me/activity.${format}`, count: 1 }),
  };
}
