import type axe from 'axe-core';
import type { Bridge } from '../src/shared/ipc/contract.ts';

declare global {
  interface Window {
    readonly watchkeeper: Bridge;
    /** Set by `accessible.ts`. */
    readonly axe: typeof axe;
  }
}
