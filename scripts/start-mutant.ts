import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    globalNamespace: string;
    mutantActivation: 'static' | 'runtime';
  }
}

// Threads are kept from one mutant to the next (vitest.mutants.config.ts), so the last one would still be in force while modules
// are read. One that is in force only while they are read has been set before this file, by the runner.
if (inject('mutantActivation') !== 'static') {
  // What Stryker keeps under its name on the global object has no types.
  const scope = globalThis as unknown as Record<string, { activeMutant?: string | undefined }>;
  const stryker = scope[inject('globalNamespace')];
  if (stryker !== undefined) stryker.activeMutant = undefined;
}

// The same examples each time, and fewer: what these do not notice counts as not noticed.
fc.configureGlobal({ seed: 1, numRuns: 30 });
