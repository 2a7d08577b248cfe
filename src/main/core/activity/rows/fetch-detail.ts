import { canonicalHash } from '../../../../shared/activity/block-hash.ts';
import { checkParams } from '../../../../shared/endpoints/check-params.ts';
import { transaction } from '../../../../shared/endpoints/data.ts';
import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import type { FetchOptions, ServiceClient } from '../../endpoints/service-client.ts';
import type { FetchedDetail } from './stored-rows.ts';

/** Fetches a whole transaction (endpoint 11); refuses what no URL can ask for, as a service may list such a hash. */
export async function fetchDetail(
  service: ServiceClient,
  asked: { chainId: string; txHash: string },
  options: Required<Pick<FetchOptions, 'priority' | 'signal'>>,
): Promise<Result<FetchedDetail>> {
  const checked = checkParams(transaction, asked);
  if (!checked.ok) return checked;
  const fetched = await service.fetch(transaction, checked.value, options);
  if (!fetched.ok) return fetched;
  const { data, notes, bodyText, fetchedAtMs } = fetched.value;
  const isOther = canonicalHash(data.nativeTransaction.txHash) !== canonicalHash(asked.txHash);
  if (isOther) return err(unusable());
  return ok({ detail: data, bodyText, hasUnreadParts: notes.length > 0, fetchedAtMs });
}

/** For an answer that cannot be used as a row. */
export function unusable(): AppError {
  const message =
    'The service returned a different transaction, or the transaction’s block is missing or doesn’t match the list.';
  return { code: 'bad-response', message, issues: [] };
}
