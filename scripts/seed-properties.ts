import fc from 'fast-check';

// The examples of a property test are the same in every run of `npm test`, so that a failure comes from the change at
// hand. `npm run test:repeat` uses other ones each time.
fc.configureGlobal({ seed: Number(process.env['WATCHKEEPER_SEED'] ?? 1) });
