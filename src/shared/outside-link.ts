// `URL` is in every runtime that this folder serves, but in none of the type libraries it may name.
declare const URL: {
  canParse(text: string): boolean;
  new (text: string): { protocol: string; username: string; password: string; href: string };
};

/**
 * A stranger's address as it may be opened in the browser: over https, and without a name and password in it. Null when it
 * may not be.
 */
export function outsideLink(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}
