import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The place that a build asks for updates: a release for Linux, with its list as electron-builder writes it. */
export class ReleaseServer {
  readonly version = '9.9.9';
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  /** What the download has; its list is made of `announced`. */
  package = Buffer.from('');
  announced = Buffer.from('');
  /** Where the download is said to have moved; null: it is here. */
  movedTo: string | null = null;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', ({ url = '', headers }, response) => {
      const path = url.replace(/\?.*$/, '');
      this.requests.push({ path, headers });
      if (path === '/latest-linux.yml') response.end(this.#list());
      else if (path !== `/${this.#fileName}`) response.writeHead(404).end();
      else if (this.movedTo === null) response.end(this.package);
      else response.writeHead(302, { location: this.movedTo }).end();
    });
  }

  static async start(port = 0): Promise<ReleaseServer> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new ReleaseServer(server);
  }

  get origin(): string {
    // It listens on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  /** Writes what electron-builder writes beside an app that is to ask this place. */
  static async name(place: string, resourcesDir: string): Promise<void> {
    const lines = ['provider: generic', `url: ${place}`, 'updaterCacheDirName: watchkeeper-updater'];
    await writeFile(join(resourcesDir, 'app-update.yml'), `${lines.join('\n')}\n`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get #fileName(): string {
    return `Watchkeeper-${this.version}.AppImage`;
  }

  #list(): string {
    const sha512 = createHash('sha512').update(this.announced).digest('base64');
    return [
      `version: ${this.version}`,
      'files:',
      `  - url: ${this.#fileName}`,
      `    sha512: ${sha512}`,
      `    size: ${this.announced.length}`,
      `path: ${this.#fileName}`,
      `sha512: ${sha512}`,
      "releaseName: '<b>Not drawn</b>'",
      "releaseNotes: '<img src=x>'",
    ].join('\n');
  }
}
