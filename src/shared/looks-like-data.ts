/** Secrets that are shorter, or have fewer distinct characters, also occur in data by chance. */
const fewestCharacters = 12;
const fewestDifferent = 6;

/** True for a secret that could also be data; it is not removed from responses, as data would go too. */
export function looksLikeData(secret: string): boolean {
  return secret.length < fewestCharacters || new Set(secret).size < fewestDifferent;
}
