/** Calls it again where it was asked for meanwhile, one call at a time: a burst of changes cannot delay an answer for ever. */
export function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let isWanted = false;
  let isBusy = false;
  return async () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isBusy = false;
  };
}
