import { AppFailure, refuse } from '../../../../shared/errors.ts';
import { isObject } from '../../../../shared/json.ts';
import { originOf } from '../../../../shared/settings.ts';
import type { Keychain, Log } from '../../ports.ts';
import { keychainFailure, KeptSecrets } from '../../secrets/kept-secrets.ts';
import { withoutValues } from '../../secrets/without-echo.ts';
import type { HeaderFields } from '../ask/node-fields.ts';

export type HeaderValues = Readonly<Record<string, string>>;

/** A node's entry in the keychain, as JSON. */
interface Secret {
  /** The values are only ever sent to this origin. */
  origin: string;
  headers: HeaderValues;
}

/**
 * Stores the values of nodes' extra headers in the system's keychain: one entry per node, with the origin they were
 * entered for, and they are never sent to another one. Only requests of the main process can read them. Calls throw
 * `keychain` when the keychain cannot be used.
 */
export class NodeHeaders {
  readonly #log: Log;
  readonly #kept: KeptSecrets;

  constructor(keychain: Keychain, log: Log) {
    this.#log = log;
    this.#kept = new KeptSecrets(keychain);
  }

  /**
   * The header values for a request to `url`; a null is replaced by the stored value. Refused when there is no stored
   * value, or it was entered for another origin.
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
          `The value of the header “${name}” belongs to another server. Enter it again for this one.`,
          'headers',
        );
      }
      values[name] = value ?? keptValue ?? '';
    }
    return values;
  }

  /** The headers for a poll; does not access the keychain for a node without extra headers. */
  async valuesFor(nodeId: string, url: string, names: readonly string[]): Promise<HeaderValues> {
    if (names.length === 0) return {};
    const { origin, headers } = await this.#read(nodeId, false);
    const missing = names.find((name) => !Object.hasOwn(headers, name));
    if (missing !== undefined || origin !== originOf(url)) {
      const message = `The value of the header “${missing ?? names[0] ?? ''}” isn’t in the keychain. Enter it again in the node’s form.`;
      throw new AppFailure({ code: 'no-secret', message });
    }
    return Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
  }

  /** Replaces the node's stored values for a `change` of it; without values, removes its entry. */
  async keep(nodeId: string, url: string, headers: HeaderValues, change: () => Promise<void>): Promise<void> {
    const isEmpty = Object.keys(headers).length === 0;
    const secret: Secret = { origin: originOf(url), headers };
    await this.#kept.writeFor(accountOf(nodeId), isEmpty ? null : JSON.stringify(secret), change, this.#log);
  }

  async forget(nodeId: string): Promise<void> {
    await this.#kept.write(accountOf(nodeId), null);
  }

  /** Removes all known header values from a text. */
  hide(text: string): string {
    const values = this.#kept.texts().flatMap((kept) => Object.values(parseSecret(kept).headers));
    return withoutValues(text, values);
  }

  async #read(nodeId: string, isAskedFor: boolean): Promise<Secret> {
    const kept = await this.#kept.recall(accountOf(nodeId), isAskedFor);
    if (kept.text !== undefined) return parseSecret(kept.text);
    throw keychainFailure(kept.state === 'absent' ? 'absent' : 'locked');
  }
}

const nothing: Secret = { origin: '', headers: {} };

const accountOf = (nodeId: string): string => `node ${nodeId}`;

/** An unreadable entry counts as empty: the user is then asked for the values again. */
function parseSecret(text: string | null): Secret {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? 'null');
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  if (!isObject(value) || typeof value['origin'] !== 'string' || !isObject(value['headers'])) return nothing;
  const headers = Object.entries(value['headers']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { origin: value['origin'], headers: Object.fromEntries(headers) };
}
