import { AppFailure, err, type Result } from '../../../shared/errors.ts';
import type { Log } from '../ports.ts';

/** `my-node-2026-01-31.html`: nothing in it that a file system refuses. */
export function fileNameOf(name: string, atMs: number, extension: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  const day = new Date(atMs).toISOString().slice(0, 10);
  return `${plain === '' ? 'node' : plain}-${day}.${extension}`;
}

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
