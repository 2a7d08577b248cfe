/** Whether a stranger's address may be opened in the browser: over https, and without a name and password in it. */
export function isOpenable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
}
