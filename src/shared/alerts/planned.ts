/** Planned work on a node: no alerts about it meanwhile. */
export interface PlannedWork {
  nodeId: string;
  fromMs: number;
  untilMs: number;
}

/** Milliseconds of a span in which work at a node was planned. */
export function plannedMs(
  planned: readonly PlannedWork[],
  nodeId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  let sum = 0;
  let untilMs = fromMs;
  for (const work of planned.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (work.nodeId !== nodeId) continue;
    const beginsMs = Math.max(untilMs, work.fromMs);
    const endsMs = Math.min(toMs, work.untilMs);
    if (endsMs <= beginsMs) continue;
    sum += endsMs - beginsMs;
    untilMs = endsMs;
  }
  return sum;
}

/** The work at a node at this time. */
export function plannedAt<W extends PlannedWork>(
  planned: readonly W[],
  nodeId: string,
  atMs: number,
): W | undefined {
  return planned.find((work) => work.nodeId === nodeId && work.fromMs <= atMs && atMs < work.untilMs);
}

/** Whether work at a node has ended within a span. */
export function hasEndedWork(
  planned: readonly PlannedWork[],
  nodeId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): boolean {
  return planned.some((work) => work.nodeId === nodeId && fromMs < work.untilMs && work.untilMs <= toMs);
}
