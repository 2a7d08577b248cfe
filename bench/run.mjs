// `npm run bench -- NAME`: runs one benchmark of this folder. Its last lines are the figures, each with its ratio or its
// bound from the same run; it ends with 1 when one of them is missed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// One that needs to be prepared before it can run has a `.mjs` of its name.
const files = readdirSync(import.meta.dirname).filter(
  (file) => /^[a-z]+\.(ts|mjs)$/.test(file) && file !== 'run.mjs',
);
const nameOf = (/** @type {string} */ file) => file.slice(0, file.indexOf('.'));
const wanted = files.find((file) => nameOf(file) === process.argv[2]);

if (wanted === undefined) {
  console.error(`Which benchmark? There are: ${files.map(nameOf).join(', ')}.`);
  process.exitCode = 1;
} else {
  await import(join(import.meta.dirname, wanted));
}
