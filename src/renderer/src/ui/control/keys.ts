export const isMac = () => navigator.userAgent.includes('Mac');

export const backKeys = () => (isMac() ? '⌘[' : 'Alt ←');

/** A pressed key, in lower case; where the layout writes another script, the letter that a Latin one has at its place. */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return (letter !== undefined && /^\P{ASCII}+$/u.test(key) ? letter : key).toLowerCase();
}
