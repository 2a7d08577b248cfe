/**
 * True for this computer itself: `localhost` and loopback addresses, as spelled by `URL.hostname`. Other names under
 * `.localhost` depend on the resolver, so they may lead elsewhere.
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname) ||
    /^\[::ffff:7f[0-9a-f]{2}:/.test(hostname)
  );
}
