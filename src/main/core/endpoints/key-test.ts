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

/** Any valid address will do: only whether the key is accepted matters. */
const anyAddress = '0x0000000000000000000000000000000000000000';

/** Makes the function that tests the key with one small request. A "not found" is a success too. */
export function createKeyTest({ secrets, service, clock }: KeyTestDeps) {
  return async (): Promise<Result<{ answeredInMs: number }>> => {
    // Read again: the keychain may have been unlocked for this very test.
    if (!secrets.status().present && !(await secrets.load()).present) {
      // With a locked keychain it is unknown whether there is a key.
      if (secrets.status().keychain === 'locked') return err(keychainFailure('locked').error);
      return err({ code: 'no-secret', message: 'No API key is stored, so there is none to test.' });
    }
    const startMs = clock.monotonicMs();
    const fetched = await service.fetch(addressChains, { address: anyAddress }, { priority: 'user' });
    const answeredInMs = Math.round(clock.monotonicMs() - startMs);
    if (fetched.ok || fetched.error.code === 'not-found') return ok({ answeredInMs });
    return err(fetched.error);
  };
}
