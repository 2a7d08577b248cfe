// What `electron path/to/app` does, for the test runtime, whose own loader is missing: takes the app's folder from the
// command line, gives the app its name, version and path, and imports its main file. CommonJS: Electron requires it.
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { app } = require('electron');

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

import(pathToFileURL(join(root, manifest.main)).href).catch((error) => {
  console.error(error);
  app.exit(1);
});
