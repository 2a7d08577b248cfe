import type { Bridge } from '../src/shared/ipc/contract.ts';

declare global {
  interface Window {
    readonly watchkeeper: Bridge;
  }
}
