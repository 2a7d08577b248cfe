// `npm run bench -- NAME PARTS`: runs one benchmark of this folder, or only the named parts of it. Its last lines are the
// figures, each with a ratio or a bound; it exits with 1 when a bound is missed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// A benchmark that needs preparation has a `.mjs` of its name.
const files = readdirSync(import.meta.dirname).filter(
  (file) => /^[a-z]+\.(ts|mjs)$/.test(file) && file !== 'run.mjs',
);
const nameOf = (/** @type {string} */ file) => file.slice(0, file.indexOf('.'));
const wanted = files.find((file) => nameOf(file) === process.argv[2]);

if (wanted === undefined) {
  console.error(`Which benchmark? There are: ${files.map(nameOf).join(', ')}.`);
  process.exitCode = 1;
} else {
  process.argv.splice(2, 1);
  await import(join(import.meta.dirname, wanted));
}
