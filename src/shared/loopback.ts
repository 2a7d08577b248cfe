/**
 * True for this computer itself: `localhost` and loopback addresses, as spelled by `URL.hostname`. Other names under
 * `.localhost` depend on the resolver, so they may lead elsewhere.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  /^127(\.\d{1,3}){3}$/.test(hostname) ||
  /^\[::ffff:7f[0-9a-f]{2}:/.test(hostname);

/** Addresses that the internet does not route: of private networks, of carriers, and of one link. */
const privateIpv4 =
  /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+)+$/;

/** True for this computer and what is in its own network, as spelled by `URL.hostname`: private addresses and local names. */
export function isPrivate(hostname: string): boolean {
  const [, high = '', low = ''] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? [];
  const mapped = [high, low].flatMap((part) => {
    const bits = Number.parseInt(part, 16);
    return [bits >> 8, bits & 255];
  });
  return (
    isLoopback(hostname) ||
    privateIpv4.test(high === '' ? hostname : mapped.join('.')) ||
    /^\[f([cd]|e[89ab])/.test(hostname) ||
    /^[^.:[]+$|\.local(host)?$/.test(hostname)
  );
}
