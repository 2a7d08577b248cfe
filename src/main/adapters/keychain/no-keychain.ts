import type { KeychainOutcome } from '../../core/ports.ts';
import type { SystemKeychain } from './keychain.ts';

const absent = (): Promise<KeychainOutcome<never>> => Promise.resolve({ ok: false, failure: 'absent' });

/** For sample data, which must not reach the user's keychain: a key can be kept for the session only. */
export const noKeychain: SystemKeychain = {
  read: absent,
  write: absent,
  remove: absent,
  isBusy: () => false,
};
