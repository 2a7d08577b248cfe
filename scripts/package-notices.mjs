// The licences of a package, and the honest list of what it is made of (CycloneDX).
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './setup/common.mjs';

/** @typedef {{ name: string, version: string, identifier?: string, text?: string }} Part */

/** What a runtime says of itself, by the names of Node. @param {string} program @returns {Record<string, string>} */
export function versionsIn(program) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const told = execFileSync(program, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8', env });
  return JSON.parse(told);
}

/**
 * The packages whose code is in the build, as listed by the bundler, and the one that is packed beside it, each by the name under
 * which it is published.
 */
function packedParts() {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  for (const bundle of ['main', 'renderer', 'sample-data']) {
    /** @type {Part[]} */
    const bundled = JSON.parse(readFileSync(join(projectDir, 'out', bundle, 'licences.json'), 'utf8'));
    for (const part of bundled) parts.set(`${part.name}@${part.version}`, part);
  }
  const keytar = partIn('keytar');
  parts.set(`${keytar.name}@${keytar.version}`, keytar);
  return [...parts.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A package by its folder, which need not have its name. @param {string} folderName @returns {Part} */
export function partIn(folderName) {
  const folder = join(projectDir, 'node_modules', folderName);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return {
    name,
    version,
    identifier: license,
    text: file === undefined ? '' : readFileSync(join(folder, file), 'utf8'),
  };
}

/**
 * Electron, and what it brings that has security notices of its own. A runtime without SQLite does not name it.
 * @param {Record<string, string>} versions
 */
export function runtimeComponents(versions) {
  const known = /** @type {const} */ ([
    ['electron', 'electron', 'cpe:2.3:a:electronjs:electron:'],
    ['chrome', 'chromium', 'cpe:2.3:a:google:chrome:'],
    ['node', 'node', 'cpe:2.3:a:nodejs:node.js:'],
    ['sqlite', 'sqlite', 'cpe:2.3:a:sqlite:sqlite:'],
  ]);
  return known.flatMap(([key, name, cpe]) => {
    const version = versions[key];
    if (version === undefined) return [];
    return [{ type: 'framework', name, version, cpe: `${cpe}${version}:*:*:*:*:*:*:*` }];
  });
}

/** @param {string} dir @param {Record<string, string>} versions Those of the runtime. */
export function writeNotices(dir, versions) {
  const { name, version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  const parts = packedParts();
  mkdirSync(dir, { recursive: true });
  const texts = [...parts, partIn('electron')].map(
    (part) =>
      `${part.name} ${part.version} (${part.identifier ?? 'licence not named'})\n\n${(part.text ?? '').trim()}\n`,
  );
  writeFileSync(join(dir, 'licences.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
  const libraries = parts.map((part) => ({
    type: 'library',
    name: part.name,
    version: part.version,
    purl: `pkg:npm/${part.name.replace('@', '%40')}@${part.version}`,
    ...(part.identifier !== undefined && { licenses: [{ license: { id: part.identifier } }] }),
  }));
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: [...libraries, ...runtimeComponents(versions)],
  };
  writeFileSync(join(dir, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}
