// `URL` exists in all runtimes that use this folder, but in none of the type libraries it may include.
declare const URL: {
  canParse(text: string): boolean;
  new (text: string): { protocol: string; username: string; password: string; href: string };
};

/**
 * Validates an untrusted URL for opening it in the browser: https only, without user name and password. Null if it must
 * not be opened.
 */
export function outsideLink(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}
