import { AppFailure, err, type Result } from '../../../../shared/errors.ts';
import type { Log } from '../../ports.ts';

/** Expected failures become results; anything else is a defect, which is logged and told in `words`. */
export async function resultOf<T>(
  log: Log,
  event: string,
  words: string,
  action: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof AppFailure) return err(cause.error);
    return err({ code: 'internal', message: words, ref: log.error(event, cause) });
  }
}
