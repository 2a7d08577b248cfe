// What `electron path/to/app` does, for the test runtime, whose own loader is missing: takes the app's folder from the
// command line, gives the app its name, version and path, and imports its main file. The import is awaited at the top
// level because Electron holds back its "ready" until then, and an app has things to do before it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { app } from 'electron';

// The first argument that is no option is the app; a file after `-r` is to be loaded before it.
const { values, positionals } = parseArgs({
  args: process.argv.slice(1),
  strict: false,
  options: { require: { type: 'string', short: 'r', multiple: true } },
});
const [appPath] = positionals;
if (appPath === undefined) {
  console.error('Usage: electron [options] [-r module] path/to/app');
  process.exit(2);
}
const root = resolve(appPath);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
app.setVersion(manifest.version);
app.setName(manifest.productName ?? manifest.name);
app.setAppPath(root);

for (const module of values.require ?? []) createRequire(import.meta.url)(resolve(module));
await import(pathToFileURL(join(root, manifest.main)).href);
