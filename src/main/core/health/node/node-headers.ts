import { err, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import { parseServiceUrl } from '../../../../shared/settings.ts';
import type { Clock, Keychain, KeychainFailure } from '../../ports.ts';
import { keychainWords } from '../../secrets/secret-service.ts';
import { isRecord } from '../ask/check.ts';
import type { HeaderFields } from '../ask/node-fields.ts';

export type HeaderValues = Readonly<Record<string, string>>;

/** A locked keychain would show one prompt a poll. */
const retryAfterMs = 300_000;

/** What the keychain has of one node, as JSON. */
interface Secret {
  /** The only origin that the values may be sent to. */
  origin: string;
  headers: HeaderValues;
}

/**
 * Keeps the values of the extra headers of nodes in the system's keychain, one entry a node, with the origin that they
 * were given for: they are never sent to another one. There is no getter but for requests of the main process.
 */
export class NodeHeaders {
  readonly #keychain: Keychain;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #known = new Map<string, Secret>();
  readonly #failed = new Map<string, { failure: KeychainFailure; atMs: number }>();

  constructor(keychain: Keychain, clock: Pick<Clock, 'monotonicMs'>) {
    this.#keychain = keychain;
    this.#clock = clock;
  }

  /**
   * The values for a request to `url`, with those in place of null that are kept for the node. Refused when a value is
   * not kept, or was given for another origin; `storage` when the keychain cannot be read.
   */
  async fill(nodeId: string | null, url: string, headers: HeaderFields): Promise<Result<HeaderValues>> {
    const values: Record<string, string> = {};
    let kept: Secret | null = null;
    for (const { name, value } of headers) {
      if (value !== null) {
        values[name] = value;
        continue;
      }
      if (kept === null) {
        const read = nodeId === null ? ok(nothing) : await this.#read(nodeId, true);
        if (!read.ok) return read;
        kept = read.value;
      }
      const keptValue = Object.hasOwn(kept.headers, name) ? kept.headers[name] : undefined;
      if (keptValue === undefined) return refused(`The header “${name}” has no value.`);
      if (kept.origin !== originOf(url)) {
        return refused(
          `The address leads to another server than the value of the header “${name}” was given for. Give the value again.`,
        );
      }
      values[name] = keptValue;
    }
    return ok(values);
  }

  /** The headers of a poll; no keychain is asked for a node without any. */
  async valuesFor(nodeId: string, url: string, names: readonly string[]): Promise<Result<HeaderValues>> {
    if (names.length === 0) return ok({});
    const read = await this.#read(nodeId, false);
    if (!read.ok) return read;
    const { origin, headers } = read.value;
    const missing = names.find((name) => !Object.hasOwn(headers, name));
    if (missing !== undefined || origin !== originOf(url)) {
      return err({
        code: 'no-secret',
        message: `The value of the header “${missing ?? names[0] ?? ''}” is not in the keychain. Give it again in the node's options.`,
      });
    }
    return ok(Object.fromEntries(names.map((name) => [name, headers[name] ?? ''])));
  }

  /** Replaces what is kept for the node; without values its entry is removed. The result undoes the change. */
  async keep(nodeId: string, url: string, values: HeaderValues): Promise<Result<() => Promise<void>>> {
    const before = await this.#read(nodeId, true);
    // Who never had a header shall not need a keychain.
    if (!before.ok && Object.keys(values).length > 0) return before;
    const previous = before.ok ? before.value : nothing;
    const written = await this.#write(nodeId, { origin: originOf(url), headers: { ...values } });
    if (written !== null) return err(written);
    return ok(async () => {
      await this.#write(nodeId, previous);
    });
  }

  /** Forgets the values of a node; the error says why the keychain still has them. */
  async forget(nodeId: string): Promise<AppError | null> {
    return await this.#write(nodeId, nothing);
  }

  async #read(nodeId: string, isAskedFor: boolean): Promise<Result<Secret>> {
    const known = this.#known.get(nodeId);
    if (known !== undefined) return ok(known);
    const failed = this.#failed.get(nodeId);
    if (failed !== undefined && !isAskedFor && this.#clock.monotonicMs() - failed.atMs < retryAfterMs) {
      return err(keychainError(failed.failure));
    }
    const outcome = await this.#keychain.read(accountOf(nodeId));
    if (!outcome.ok) {
      this.#failed.set(nodeId, { failure: outcome.failure, atMs: this.#clock.monotonicMs() });
      return err(keychainError(outcome.failure));
    }
    const secret = outcome.value === null ? nothing : parseSecret(outcome.value);
    this.#failed.delete(nodeId);
    this.#known.set(nodeId, secret);
    return ok(secret);
  }

  async #write(nodeId: string, secret: Secret): Promise<AppError | null> {
    const account = accountOf(nodeId);
    const isEmpty = Object.keys(secret.headers).length === 0;
    const outcome = isEmpty
      ? await this.#keychain.remove(account)
      : await this.#keychain.write(account, JSON.stringify(secret));
    // Without a keychain nothing can be stored in it, so nothing is left to remove.
    if (!outcome.ok && !(isEmpty && outcome.failure === 'absent')) return keychainError(outcome.failure);
    this.#failed.delete(nodeId);
    this.#known.set(nodeId, secret);
    return null;
  }
}

const nothing: Secret = { origin: '', headers: {} };

function accountOf(nodeId: string): string {
  return `node ${nodeId}`;
}

function originOf(url: string): string {
  return parseServiceUrl(url)?.origin ?? '';
}

/** What cannot be read counts as not kept: the user is asked for the values again. */
function parseSecret(json: string): Secret {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return nothing;
  }
  if (!isRecord(value) || typeof value['origin'] !== 'string' || !isRecord(value['headers'])) return nothing;
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value['headers'])) {
    if (typeof text !== 'string') return nothing;
    headers[name] = text;
  }
  return { origin: value['origin'], headers };
}

function keychainError(failure: KeychainFailure): AppError {
  return { code: 'storage', message: keychainWords(failure) };
}

function refused(message: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: ['headers'] });
}
