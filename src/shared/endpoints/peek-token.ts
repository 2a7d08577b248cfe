/** Longer tokens are not looked for: they are found when the answer is decoded. */
const lookedAtCharacters = 2_000;

const firstMember = /^\s*\{\s*"nextPageToken"\s*:\s*"([^"\\]+)"/;
const lastMember = /"nextPageToken"\s*:\s*"([^"\\]+)"\s*\}\s*$/;

/**
 * The token of the next page where a list answer begins or ends with it; null when it does neither or names none. Costs
 * next to nothing, and is a guess until the answer is decoded: the text may be no JSON at all, or name the token twice.
 */
export function peekNextToken(text: string): string | null {
  const match =
    firstMember.exec(text.slice(0, lookedAtCharacters)) ?? lastMember.exec(text.slice(-lookedAtCharacters));
  return match?.[1] ?? null;
}
