import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ProxyOptions {
  /** `user:password` that it wants. */
  login?: string;
  /** What it says is asked for when there is no login. */
  challenge?: string;
  /** Answers with this status instead of passing anything on. */
  refusesWith?: number;
}

/** A proxy as companies have one, which every host name leads to one server behind. */
export class ProxyServer {
  /** What it was asked to pass on: `CONNECT host:port` or `GET http://…`. */
  readonly asked: string[] = [];
  /** Each login that it was given. */
  readonly logins: (string | undefined)[] = [];
  readonly options: ProxyOptions;
  /** The port, on this computer, of the server behind; null for the one that is named. */
  readonly behind: () => number | null;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, options: ProxyOptions, behind: () => number | null) {
    this.#server = server;
    this.options = options;
    this.behind = behind;
    server.on('connection', (socket: Socket) => this.#keep(socket));
    server.on('connect', (asked, socket: Socket) => this.#tunnel(asked, socket));
    server.on('request', (asked, response) => this.#pass(asked, response));
  }

  static async start(
    options: ProxyOptions = {},
    behind: () => number | null = () => null,
  ): Promise<ProxyServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ProxyServer(server, options, behind);
  }

  get host(): string {
    // It listens on a port.
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
  }

  #refusal({ headers }: IncomingMessage): number | null {
    const { login, refusesWith = null } = this.options;
    const given = headers['proxy-authorization'];
    this.logins.push(given);
    const isRight = given === `Basic ${Buffer.from(login ?? '').toString('base64')}`;
    return login !== undefined && !isRight ? 407 : refusesWith;
  }

  #tunnel(asked: IncomingMessage, socket: Socket): void {
    this.asked.push(`CONNECT ${asked.url}`);
    const status = this.#refusal(asked);
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} No\r\n${this.#challenge()}\r\n\r\n`);
    const { hostname, port } = new URL(`http://${asked.url}`);
    const onward = connect(this.behind() ?? Number(port), this.behind() === null ? hostname : '127.0.0.1');
    this.#keep(onward);
    onward.once('error', () => socket.end('HTTP/1.1 502 No\r\n\r\n'));
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
  }

  #pass(asked: IncomingMessage, response: ServerResponse): void {
    const { url = '', method, headers } = asked;
    if (url.endsWith('.pac') && url.startsWith('/')) {
      this.asked.push(url);
      response.setHeader('content-type', 'application/x-ns-proxy-autoconfig');
      return void response.end(`function FindProxyForURL(url, host) { return 'PROXY ${this.host}'; }`);
    }
    this.asked.push(`${method} ${url}`);
    const status = this.#refusal(asked);
    if (status !== null) {
      response.setHeader('proxy-authenticate', this.options.challenge ?? 'Basic realm="x"');
      return void response.writeHead(status, { 'content-type': 'text/html' }).end('<p>No.</p>');
    }
    const { hostname, port, pathname, search } = new URL(url);
    const onward = request(
      {
        host: this.behind() === null ? hostname : '127.0.0.1',
        port: this.behind() ?? port,
        path: pathname + search,
        headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    onward.once('error', () => response.writeHead(502, { 'content-type': 'text/html' }).end('<p>No.</p>'));
    asked.pipe(onward);
  }

  #challenge(): string {
    return `proxy-authenticate: ${this.options.challenge ?? 'Basic realm="x"'}`;
  }
}
