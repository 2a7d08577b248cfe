import { addressChains } from '../../../shared/endpoints/data/address-chains.ts';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import type { SecretService } from '../secrets/secret-service.ts';
import type { ServiceClient } from './service-client.ts';

export interface TestKeyDeps {
  secrets: SecretService;
  service: ServiceClient;
  clock: Clock;
}

/** An address that every service can be asked about; what it answers does not matter. */
const anyAddress = '0x0000000000000000000000000000000000000000';

/**
 * Sends one small request with the key that is set; ok when the service accepts it. That the service does not know the
 * address is as good an answer as any: it was past the key.
 */
export async function testKey(
  service: ServiceClient,
  clock: Clock,
): Promise<Result<{ answeredInMs: number }>> {
  const startMs = clock.monotonicMs();
  const fetched = await service.fetch(
    addressChains,
    { address: anyAddress },
    { priority: 'user', mayWaitMs: 2_000 },
  );
  const answeredInMs = Math.round(clock.monotonicMs() - startMs);
  if (fetched.ok || fetched.error.code === 'not-found') return ok({ answeredInMs });
  return err(fetched.error);
}
