import Store from 'electron-store';
import type { Log } from '../../core/ports.ts';

/** The window's place, in the profile's `window.json`. An unreadable file is ignored: its loss does not matter. */
export function openWindowStateStore(profileDir: string, log: Log) {
  const open = () =>
    new Store<{ window?: unknown }>({ cwd: profileDir, name: 'window', clearInvalidConfig: true });
  return {
    read: (): unknown => {
      try {
        return open().get('window');
      } catch (cause) {
        log.error('window.place-not-read', cause);
        return null;
      }
    },
    write: (state: object) => open().set('window', state),
  };
}
