// What `electron path/to/app` does, for the test runtime, whose own loader is missing: takes the app's folder from the
// command line, gives the app its name, version and path, and imports its main file. The import is awaited at the top
// level because Electron holds back its "ready" until then, and an app has things to do before it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const appPath = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (appPath === undefined) {
  console.error('Usage: electron [options] path/to/app');
  process.exit(2);
}
const root = resolve(appPath);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
app.setVersion(manifest.version);
app.setName(manifest.productName ?? manifest.name);
app.setAppPath(root);

await import(pathToFileURL(join(root, manifest.main)).href);
