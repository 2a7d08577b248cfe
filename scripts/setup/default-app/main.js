// What `electron path/to/app` does, for the test runtime, whose own loader is missing: takes the app's folder from the
// command line, gives the app its name, version and path, and imports its main file. The import is awaited at the top
// level because Electron holds back its "ready" until then, and an app has things to do before it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const { appPath, modules } = readArguments(process.argv.slice(1));
if (appPath === undefined) {
  console.error('Usage: electron [options] [-r module] path/to/app');
  process.exit(2);
}
const root = resolve(appPath);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
app.setVersion(manifest.version);
app.setName(manifest.productName ?? manifest.name);
app.setAppPath(root);

for (const module of modules) createRequire(import.meta.url)(resolve(module));
await import(pathToFileURL(join(root, manifest.main)).href);

/**
 * The first argument that is no option is the app; a file after `-r` is to be loaded before it.
 * @param {string[]} args
 */
function readArguments(args) {
  /** @type {string[]} */
  const modules = [];
  for (let i = 0; i < args.length; i += 1) {
    const argument = args[i] ?? '';
    if (argument === '-r' || argument === '--require') modules.push(args[(i += 1)] ?? '');
    else if (!argument.startsWith('-')) return { appPath: argument, modules };
  }
  return { appPath: undefined, modules };
}
