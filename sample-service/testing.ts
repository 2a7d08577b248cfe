/** Small helpers for tests that speak to a running sample service. */

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when it is not JSON. */
  readonly json: unknown;
}

export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

export function post(url: string, body: unknown): Promise<Answer> {
  return call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A field of a parsed body, by dotted path; undefined where there is none. */
export function field(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/** An array field of a parsed body; throws when it is not an array. */
export function items(value: unknown, path: string): unknown[] {
  const found = field(value, path);
  if (!Array.isArray(found)) throw new TypeError(`no array at ${path} in ${JSON.stringify(value)}`);
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
