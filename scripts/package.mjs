// `npm run package`: builds the app, writes the licences and the list of components, and packs it for the system that it runs
// on: installers with the official runtime; with the test runtime only the folder, and on Debian a package of that folder, to
// be tried (`npm run test:package`) and thrown away. The result is checked at the end.
import { listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build } from 'electron-builder';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import electronPath from 'electron';
import config from '../electron-builder.config.mjs';
import { packAppImage, packForSystems } from './package-for-tests.mjs';
import { versionsIn, writeNotices } from './package-notices.mjs';
import { projectDir } from './setup/common.mjs';

const out = join(projectDir, 'out', 'packages');
const notices = join(projectDir, 'out', 'notices');
const isTestRuntime = process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined;
/** A larger app contains something that does not belong in it. The runtime, whose size is not ours, is not counted. */
const largestAppBytes = 6 * 1024 * 1024;

const manifest = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));

// A forge gives a secret that is not set as an empty text, which the packager would take for the path of a certificate.
for (const name of ['CSC_LINK', 'CSC_KEY_PASSWORD', 'CSC_NAME', 'APPLE_API_KEY', 'AZURE_SIGNING_ENDPOINT']) {
  if (process.env[name] === '') Reflect.deleteProperty(process.env, name);
}
rmSync(out, { recursive: true, force: true });
const bundler = join(projectDir, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
execFileSync(process.execPath, [bundler, 'build', '--logLevel=warn'], { stdio: 'inherit', cwd: projectDir });
writeNotices(notices, versionsIn(/** @type {string} */ (/** @type {unknown} */ (electronPath))));
await build({
  config: structuredClone(config),
  projectDir,
  publish: 'never',
  ...(isTestRuntime && { dir: true }),
});
for (const packed of packedApps()) await check(packed);
cpSync(
  join(notices, 'sbom.cdx.json'),
  join(out, `${manifest.name}-${manifest.version}-${process.platform}.cdx.json`),
);
if (isTestRuntime && process.platform === 'linux') {
  packForSystems(out);
  await packAppImage(out);
}
for (const name of readdirSync(out)) console.log(`out/packages/${name}`);

/** The files packed for this system, for each processor: the app's archive, and the program, which has the fuses. */
function packedApps() {
  if (process.platform === 'darwin') {
    const app = join(out, 'mac-universal', `${manifest.productName}.app`);
    return [{ archive: join(app, 'Contents', 'Resources', 'app.asar'), program: app }];
  }
  const isWindows = process.platform === 'win32';
  const program = isWindows ? `${manifest.productName}.exe` : (config.linux?.executableName ?? '');
  const folders = readdirSync(out).filter((name) => /^(linux|win)(-arm64)?-unpacked$/.test(name));
  if (folders.length === 0) throw new Error('Nothing was packed.');
  return folders.map((name) => ({
    archive: join(out, name, 'resources', 'app.asar'),
    program: join(out, name, program),
  }));
}

/**
 * Checks the content, the size, and that every fuse is as configured.
 * @param {{ archive: string, program: string }} packed
 */
async function check({ archive, program }) {
  const names = listPackage(archive, { isPack: false }).map((name) => name.replaceAll('\\', '/'));
  const strange = names.filter(
    (name) =>
      !/^\/(LICENSE|package\.json|node_modules|out)$/.test(name) &&
      !/^\/out\/(main|preload|renderer|sample-data)(\/(assets|chunks))?(\/[\w.-]+\.(c?js|css|html|json))?$/.test(
        name,
      ) &&
      !/^\/node_modules\/keytar(\/(package\.json|LICENSE.*|lib|lib\/keytar\.js|prebuilds.*))?$/.test(name),
  );
  if (strange.length > 0)
    throw new Error(`What does not belong in the app was packed: ${strange.join(', ')}`);
  if (!names.includes('/out/sample-data/index.js')) throw new Error('The sample data was not packed.');
  const bytes = statSync(archive).size;
  if (bytes > largestAppBytes) throw new Error(`The app has ${bytes} bytes; ${largestAppBytes} is the most.`);
  const wire = new Map(Object.entries(await getCurrentFuseWire(program)));
  const numbers = new Map(Object.entries(FuseV1Options));
  // The last is no fuse, but how they are written.
  const { resetAdHocDarwinSignature: _, ...fuses } = config.electronFuses ?? {};
  for (const [name, wanted] of Object.entries(fuses)) {
    const fuse = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    // The value is a character code: that of 1 is on, that of 0 is off.
    if (wire.get(String(numbers.get(fuse))) !== (wanted ? '1' : '0').charCodeAt(0)) {
      throw new Error(`The fuse ${fuse} is not ${wanted ? 'on' : 'off'}.`);
    }
  }
  const held = Object.keys(fuses).length;
  console.log(
    `The app: ${(bytes / 1e6).toFixed(1)} MB, nothing in it that is not its own; ${held} fuses as wanted.`,
  );
}
