import { lookup as lookupOfSystem, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Answer = Parameters<LookupFunction>[2];
type LookUp = (
  name: string,
  options: { all: true; hints: number },
  answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Looks up host names. The system does two at a time, and goes on for long after who has asked does not wait any more
 * (a name server that is silent): so one name is looked up once at a time, and this computer's own name not at all.
 */
export function createLookup(lookUp: LookUp = lookupOfSystem): LookupFunction {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  const addressesOf = (name: string, hints: number): Promise<readonly LookupAddress[]> => {
    if (/(^|\.)localhost$/i.test(name)) return Promise.resolve(loopback);
    const known = underWay.get(name);
    if (known !== undefined) return known;
    const asked = new Promise<readonly LookupAddress[]>((resolve, reject) => {
      lookUp(name, { all: true, hints }, (error, addresses) => {
        underWay.delete(name);
        if (error === null) resolve(addresses);
        else reject(error);
      });
    });
    underWay.set(name, asked);
    return asked;
  };
  return (name, { family = 0, all = false, hints = 0 }, answer) => {
    addressesOf(name, hints).then(
      (found) => tell(name, fitting(found, family), all, answer),
      (cause: unknown) => answer(cause instanceof Error ? cause : new Error(String(cause)), []),
    );
  };
}

function fitting(found: readonly LookupAddress[], family: number | string): LookupAddress[] {
  const wanted = Number(String(family).replace('IPv', ''));
  return found.filter((one) => wanted === 0 || one.family === wanted);
}

function tell(name: string, addresses: LookupAddress[], all: boolean, answer: Answer): void {
  const [first] = addresses;
  if (first === undefined)
    answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), []);
  else if (all) answer(null, addresses);
  else answer(null, first.address, first.family);
}
