import { AppFailure, refuse } from '../../../../shared/errors.ts';
import { parseServiceUrl } from '../../../../shared/settings.ts';
import type { Clock, Keychain } from '../../ports.ts';
import { keychainFailure, KeptSecrets } from '../../secrets/kept-secrets.ts';
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
 * were given for: they are never sent to another one. There is no getter but for requests of the main process. Calls throw
 * `storage` when the keychain cannot be used.
 */
export class NodeHeaders {
  readonly #kept: KeptSecrets;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #askedMs = new Map<string, number>();

  constructor(keychain: Keychain, clock: Pick<Clock, 'monotonicMs'>) {
    this.#kept = new KeptSecrets(keychain);
    this.#clock = clock;
  }

  /**
   * The values for a request to `url`, with those in place of null that are kept for the node. Refused when a value is
   * not kept, or was given for another origin.
   */
  async fill(nodeId: string | null, url: string, headers: HeaderFields): Promise<HeaderValues> {
    const values: Record<string, string> = {};
    const isKeptWanted = nodeId !== null && headers.some(({ value }) => value === null);
    const kept = isKeptWanted ? await this.#read(nodeId, true) : nothing;
    for (const { name, value } of headers) {
      const keptValue = Object.hasOwn(kept.headers, name) ? kept.headers[name] : undefined;
      if (value === null && keptValue === undefined) refuse(`The header “${name}” has no value.`, 'headers');
      if (value === null && kept.origin !== originOf(url)) {
        refuse(
          `The address leads to another server than the value of the header “${name}” was given for. Give the value again.`,
          'headers',
        );
      }
      values[name] = value ?? keptValue ?? '';
    }
    return values;
  }

  /** The headers of a poll; no keychain is asked for a node without any. */
  async valuesFor(nodeId: string, url: string, names: readonly string[]): Promise<HeaderValues> {
    if (names.length === 0) return {};
    const { origin, headers } = await this.#read(nodeId, false);
    const missing = names.find((name) => !Object.hasOwn(headers, name));
    if (missing !== undefined || origin !== originOf(url)) {
      throw new AppFailure({
        code: 'no-secret',
        message: `The value of the header “${missing ?? names[0] ?? ''}” is not in the keychain. Give it again in the node's options.`,
      });
    }
    return Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
  }

  /** Replaces what is kept for the node; without values its entry is removed. The result undoes the change. */
  async keep(nodeId: string, url: string, headers: HeaderValues): Promise<() => Promise<void>> {
    const isEmpty = Object.keys(headers).length === 0;
    // Who never had a header shall not need a keychain.
    const before = await this.#read(nodeId, true).catch((cause: unknown) => {
      if (isEmpty) return nothing;
      throw cause;
    });
    await this.#write(nodeId, { origin: originOf(url), headers: { ...headers } });
    return () => this.#write(nodeId, before);
  }

  /** Forgets the values of a node. */
  async forget(nodeId: string): Promise<void> {
    await this.#write(nodeId, nothing);
  }

  async #read(nodeId: string, isAskedFor: boolean): Promise<Secret> {
    const account = accountOf(nodeId);
    const askedMs = this.#askedMs.get(account);
    const waits = askedMs !== undefined && this.#clock.monotonicMs() - askedMs < retryAfterMs && !isAskedFor;
    let kept = this.#kept.known(account);
    if (kept.text === undefined && !waits) {
      kept = await this.#kept.read(account);
      this.#askedMs.set(account, this.#clock.monotonicMs());
    }
    if (kept.text !== undefined) return parseSecret(kept.text);
    throw keychainFailure(kept.state === 'absent' ? 'absent' : 'locked');
  }

  async #write(nodeId: string, secret: Secret): Promise<void> {
    const isEmpty = Object.keys(secret.headers).length === 0;
    await this.#kept.write(accountOf(nodeId), isEmpty ? null : JSON.stringify(secret));
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
function parseSecret(text: string | null): Secret {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? 'null');
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  if (!isRecord(value) || typeof value['origin'] !== 'string' || !isRecord(value['headers'])) return nothing;
  const headers = Object.entries(value['headers']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { origin: value['origin'], headers: Object.fromEntries(headers) };
}
