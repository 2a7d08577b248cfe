/**
 * True for this computer itself, which needs no network: `localhost` and loopback addresses, as `URL.hostname` spells them. Other
 * names under `.localhost` are for a resolver to say, which may lead elsewhere.
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname) ||
    /^\[::ffff:7f[0-9a-f]{2}:/.test(hostname)
  );
}
