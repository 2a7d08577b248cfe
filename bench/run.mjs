// `npm run bench -- NAME`: runs one benchmark of this folder. Its last lines are the figures, each with its ratio or its
// bound from the same run; it ends with 1 when one of them is missed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.startsWith('bench-'))
  .map((file) => file.slice(0, -'.ts'.length));
const name = process.argv[2];

if (name === undefined || !names.includes(name)) {
  console.error(`Which benchmark? There are: ${names.join(', ')}.`);
  process.exitCode = 1;
} else {
  await import(join(import.meta.dirname, `${name}.ts`));
}
