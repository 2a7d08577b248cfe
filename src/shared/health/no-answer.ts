/**
 * Used in place of a check's name in episodes and incidents: the whole node was unreachable from this computer. No
 * check of a report has this name; an empty name is read as `(no name)`.
 */
export const noAnswer = '';

/** Subject of an episode or incident: the check's name, or that the node did not answer. */
export function subjectOf(check: string): string {
  return check === noAnswer ? 'Unreachable from this computer' : check;
}
