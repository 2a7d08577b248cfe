import Store from 'electron-store';

/** The window's place in `window.json` of the profile. An unreadable file counts as none: it holds nothing of worth. */
export function openWindowStateStore(profileDir: string) {
  const store = new Store<{ window?: unknown }>({
    cwd: profileDir,
    name: 'window',
    clearInvalidConfig: true,
  });
  return {
    read: (): unknown => store.get('window'),
    write: (state: object) => store.set('window', state),
  };
}
