import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    globalNamespace: string;
    mutantActivation: 'static' | 'runtime';
  }
}

// Threads are reused from one mutant to the next (vitest.mutants.config.ts), so the last one would still be active while modules
// load. A static mutant, active only while modules load, was set by the runner before this file.
if (inject('mutantActivation') !== 'static') {
  // Stryker's global has no types.
  const scope = globalThis as unknown as Record<string, { activeMutant?: string | undefined }>;
  const stryker = scope[inject('globalNamespace')];
  if (stryker !== undefined) stryker.activeMutant = undefined;
}

// Always the same examples, and fewer than usual.
fc.configureGlobal({ seed: 1, numRuns: 30 });
