import type axe from 'axe-core';
import type { Bridge } from '../src/shared/ipc/contract.ts';

declare global {
  interface Window {
    readonly watchkeeper: Bridge;
    /** Where `accessible.ts` has put it. */
    readonly axe: typeof axe;
  }
}
