import Store from 'electron-store';

/** The window's place, in the profile's `window.json`. An unreadable file is ignored: its loss does not matter. */
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
