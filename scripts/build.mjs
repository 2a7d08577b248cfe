import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './setup/common.mjs';

/** What the build is made of. */
export const sources = [
  'src',
  'sample-data',
  'sample-service',
  'resources',
  'electron.vite.config.ts',
  'svelte.config.js',
  'scripts/drawn-text.ts',
  'package-lock.json',
];
/** Built one after the other: an interrupted build has only the first of them. */
const built = ['main', 'preload', 'renderer', 'sample-data'];

/** Builds the app into `out/` unless the build there is newer than every source. */
export function ensureBuild() {
  if (isBuilt(projectDir)) return;
  const result = spawnSync('electron-vite', ['build', '--logLevel=warn'], {
    cwd: projectDir,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error('The build failed; see above.');
}

/** @param {string} folder of the project */
export function isBuilt(folder) {
  const newest = (/** @type {string[]} */ ...path) => newestMs(join(folder, ...path));
  return (
    Math.min(...built.map((part) => newest('out', part))) > Math.max(...sources.map((path) => newest(path)))
  );
}

/** @param {string} path @returns {number} the newest modification time below the path; 0 when it does not exist */
function newestMs(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
