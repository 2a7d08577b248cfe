/** Secrets with fewer characters, or fewer different ones, are found in data where they mean something else. */
const fewestCharacters = 12;
const fewestDifferent = 6;

/** A secret that cannot be told apart from data: it is not taken out of answers, because data would be taken out as well. */
export function looksLikeData(secret: string): boolean {
  return secret.length < fewestCharacters || new Set(secret).size < fewestDifferent;
}
