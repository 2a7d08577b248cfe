import { lookup as lookupOfSystem, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { orAdd } from '../../../shared/or-add.ts';

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
    const look = () =>
      new Promise<readonly LookupAddress[]>((resolve, reject) => {
        lookUp(name, { all: true, hints }, (error, addresses) => {
          underWay.delete(name);
          if (error === null) resolve(addresses);
          else reject(error);
        });
      });
    return orAdd(underWay, name, look);
  };
  return (name, { family = 0, all = false, hints = 0 }, answer) => {
    const wanted = Number(String(family).replace('IPv', ''));
    addressesOf(name, hints).then(
      (found) => {
        const fitting = found.filter((one) => wanted === 0 || one.family === wanted);
        const [first] = fitting;
        if (first === undefined)
          answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), []);
        else if (all) answer(null, fitting);
        else answer(null, first.address, first.family);
      },
      (cause: unknown) => answer(cause instanceof Error ? cause : new Error(String(cause)), []),
    );
  };
}
