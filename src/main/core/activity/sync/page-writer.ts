import { AppFailure, type AppError } from '../../../../shared/errors.ts';
import { BatchWriter } from '../../batch-writer.ts';
import type { ActivityStore, ListPage, ListRef, SavedPage } from '../../activity-ports.ts';
import { mergeBlocks, readIntervals, writeIntervals } from '../../../../shared/activity/blocks.ts';

export type PagePart = Omit<ListPage, keyof ListRef>;

/** Writes pages of a list to the store; `onSaved` is called after each write, with the number of pages in it. */
export function pageWriter(
  store: Pick<ActivityStore, 'savePage'>,
  ref: ListRef,
  onSaved: (saved: SavedPage, pages: number) => void,
): BatchWriter<PagePart> {
  return new BatchWriter(async (pages) => {
    const saved = await store.savePage({ ...ref, ...pages.reduce(joinPages) });
    if (saved.isOutdated) throw new AppFailure(outdated);
    onSaved(saved, pages.length);
  });
}

/** Ends a run whose list has lost proof meanwhile; whoever took it back sees to a new run. */
const outdated: AppError = {
  code: 'cancelled',
  message: 'Some blocks in this list are no longer verified as complete, so the app fetches the list again.',
};

/** Joins two successive pages of a walk: the state of the later, the rows and proofs of both. */
export function joinPages(first: PagePart, second: PagePart): PagePart {
  return {
    rows: [...first.rows, ...second.rows],
    records: [...first.records, ...second.records],
    sync: second.sync,
    doubts: second.doubts,
    proof: joinProofs(first.proof, second.proof),
    walkAtMs: second.walkAtMs,
    sweep: joinIntervals(first.sweep, second.sweep),
  };
}

function joinProofs(first: PagePart['proof'], second: PagePart['proof']): PagePart['proof'] {
  if (first === null || second === null) return second ?? first;
  return { ...second, blocks: joinIntervals(first.blocks, second.blocks) };
}

function joinIntervals(
  first: Parameters<typeof readIntervals>[0],
  second: Parameters<typeof readIntervals>[0],
): ReturnType<typeof writeIntervals> {
  return writeIntervals(mergeBlocks([...readIntervals(first), ...readIntervals(second)]));
}
