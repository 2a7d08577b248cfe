/** Marks the digits of a bigint within JSON; no text of the service contains it. */
const mark = '\u0001';
const marked = /"\\u0001(-?\d+)\\u0001"/g;

/** JSON in which a bigint is a number with all its digits. */
function writeJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? mark + String(inner) + mark : inner,
  );
  return text.replaceAll(marked, '$1');
}

/** The JSON of an answer. Only the metrics interface has numbers beyond a double; elsewhere large numbers are strings. */
export function writeAnswer(api: 'data' | 'metrics', value: unknown): string {
  return api === 'metrics' ? writeJson(value) : JSON.stringify(value);
}
