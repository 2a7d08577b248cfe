import { canonicalHash } from '../../../../shared/activity/block-hash.ts';
import { transaction } from '../../../../shared/endpoints/data.ts';
import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { FetchOptions, ServiceClient } from '../../endpoints/service-client.ts';
import type { FetchedDetail } from './complete-rows.ts';

/** Fetches a whole transaction (endpoint 11). `params` have passed `checkParams`, or come from the service. */
export async function fetchDetail(
  service: ServiceClient,
  params: Readonly<Record<string, string>>,
  options: Required<Pick<FetchOptions, 'priority' | 'signal'>>,
): Promise<Result<FetchedDetail>> {
  const fetched = await service.fetch(transaction, params, options);
  if (!fetched.ok) return fetched;
  const { data, bodyText, fetchedAtMs } = fetched.value;
  const isAsked = canonicalHash(data.nativeTransaction.txHash) === canonicalHash(params['txHash'] ?? '');
  if (!isAsked) return err(unusable());
  return ok({ detail: data, bodyText, fetchedAtMs });
}

/** For an answer that cannot be used as a row. */
export function unusable(): AppError {
  return {
    code: 'bad-response',
    message:
      'The service answered with another transaction, or with one that has no block or another one than its list says.',
    issues: [],
  };
}
