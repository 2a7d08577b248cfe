import { addressChains } from '../../../shared/endpoints/data.ts';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import { keychainFailure } from '../secrets/kept-secrets.ts';
import type { SecretService } from '../secrets/secret-service.ts';
import type { ServiceClient } from './service-client.ts';

export interface KeyTestDeps {
  secrets: SecretService;
  service: ServiceClient;
  clock: Clock;
}

/** Sends one small request with the key that is set; ok when the service accepts it. */
export type KeyTest = () => Promise<Result<{ answeredInMs: number }>>;

/** An address that every service can be asked about; what it answers does not matter. */
const anyAddress = '0x0000000000000000000000000000000000000000';

/** That the service does not know the address is as good an answer as any: the request was past the key. */
export function createKeyTest({ secrets, service, clock }: KeyTestDeps): KeyTest {
  return async () => {
    // Asked anew: the keychain may have been unlocked for this very test.
    if (!secrets.status().present && !(await secrets.load()).present) {
      // Whether there is a key is not known then.
      if (secrets.status().keychain === 'locked') {
        return err(keychainFailure('locked').error);
      }
      return err({ code: 'no-secret', message: 'No API key is stored, so there is none to test.' });
    }
    const startMs = clock.monotonicMs();
    const fetched = await service.fetch(addressChains, { address: anyAddress }, { priority: 'user' });
    const answeredInMs = Math.round(clock.monotonicMs() - startMs);
    if (fetched.ok || fetched.error.code === 'not-found') return ok({ answeredInMs });
    return err(fetched.error);
  };
}
