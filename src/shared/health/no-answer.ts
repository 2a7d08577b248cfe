/**
 * In the place of a check's name in episodes and incidents: the node as a whole did not answer, as seen from this computer.
 * No check of a report is called so; one without a name is read as `(no name)`.
 */
export const noAnswer = '';

/** What an episode or incident is about, in a word: the check, or that the node did not answer. */
export function subjectOf(check: string): string {
  return check === noAnswer ? 'Did not answer, seen from this computer' : check;
}
