import { BatchWriter } from '../../batch-writer.ts';
import type { ActivityStore, ListPage, ListRef, StoredRecord, StoredSync } from '../../activity-ports.ts';
import { mergeBlocks, readIntervals, writeIntervals } from '../../../../shared/activity/blocks.ts';

/** A page without the list that it belongs to. */
export type PagePart = Omit<ListPage, keyof ListRef>;

/** Writes the pages of a history; `onSaved` is called after each write, with the number of pages that it held. */
export function pageWriter(
  store: Pick<ActivityStore, 'savePage'>,
  ref: ListRef,
  onSaved: (sync: StoredSync, pages: number) => void,
): BatchWriter<PagePart> {
  return new BatchWriter(async (pages) => {
    onSaved(await store.savePage({ ...ref, ...pages.reduce(joinPages) }), pages.length);
  });
}

/** Two pages of one run as one: the state of the later, and what both bring and prove. */
export function joinPages(first: PagePart, second: PagePart): PagePart {
  return {
    rows: [...first.rows, ...second.rows],
    records: joinRecords(first.records, second.records),
    sync: second.sync,
    proof: joinProofs(first.proof, second.proof),
    sweep: joinSweeps(first.sweep, second.sweep),
  };
}

/** Each record as often as the page has it that has it more often: a page repeats what it has to be counted with. */
function joinRecords(
  first: readonly StoredRecord[],
  second: readonly StoredRecord[],
): readonly StoredRecord[] {
  const counts = new Map<string, number>();
  for (const { recordJson } of first) counts.set(recordJson, (counts.get(recordJson) ?? 0) + 1);
  const added = second.filter(({ recordJson }) => {
    const left = counts.get(recordJson) ?? 0;
    counts.set(recordJson, left - 1);
    return left <= 0;
  });
  return [...first, ...added];
}

function joinProofs(first: PagePart['proof'], second: PagePart['proof']): PagePart['proof'] {
  if (first === null || second === null) return second ?? first;
  return { ...second, blocks: joinIntervals(first.blocks, second.blocks) };
}

function joinSweeps(first: PagePart['sweep'], second: PagePart['sweep']): PagePart['sweep'] {
  if (first === null || second === null) return second ?? first;
  return {
    blocks: joinIntervals(first.blocks, second.blocks),
    notSeenSinceMs: Math.min(first.notSeenSinceMs, second.notSeenSinceMs),
  };
}

function joinIntervals(
  first: Parameters<typeof readIntervals>[0],
  second: Parameters<typeof readIntervals>[0],
): ReturnType<typeof writeIntervals> {
  return writeIntervals(mergeBlocks([...readIntervals(first), ...readIntervals(second)]));
}

/**
 * The records of a page, with those of the page before that are equal to one of them: the store tells equal records apart
 * by their count, so they have to be counted together.
 */
export function withEqualOnes(
  records: readonly StoredRecord[],
  before: readonly StoredRecord[],
): readonly StoredRecord[] {
  if (before.length === 0) return records;
  const texts = new Set(records.map(({ recordJson }) => recordJson));
  return [...before.filter(({ recordJson }) => texts.has(recordJson)), ...records];
}
