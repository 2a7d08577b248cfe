import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Notified {
  id: number;
  title: string;
  body: string;
}

const busName = 'org.freedesktop.DBus';
const serverName = 'org.freedesktop.Notifications';
const serverPath = '/org/freedesktop/Notifications';

/** A notification server on a message bus of its own, which records what it is given. */
export class NotificationServer {
  readonly notified: Notified[] = [];
  /** The environment in which the app uses it. */
  readonly env: { DBUS_SESSION_BUS_ADDRESS: string };
  readonly #folder: string;
  readonly #bus: ChildProcess;
  #socket: Socket | null = null;
  #serial = 0;
  #received: Buffer = Buffer.alloc(0);
  #isOpen = false;

  private constructor(folder: string, bus: ChildProcess) {
    this.#folder = folder;
    this.#bus = bus;
    this.env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}` };
  }

  static async start(): Promise<NotificationServer> {
    const folder = await mkdtemp(join(tmpdir(), 'watchkeeper-bus-'));
    const address = `--address=unix:path=${join(folder, 'bus')}`;
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1', address], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(createInterface(bus.stdout), 'line');
    const server = new NotificationServer(folder, bus);
    await server.appear();
    return server;
  }

  /** Takes the name on the bus. */
  async appear(): Promise<void> {
    const socket = connect(join(this.#folder, 'bus'));
    this.#socket = socket;
    this.#isOpen = false;
    this.#received = Buffer.alloc(0);
    socket.on('data', (data) => this.#take(data));
    await once(socket, 'connect');
    socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`);
    const owned = once(socket, 'owned');
    await owned;
  }

  /** Keeps its name, and takes nothing any more. */
  hang(): void {
    this.#socket?.pause();
  }

  /** Leaves the bus, so that nothing is accepted. */
  disappear(): void {
    this.#socket?.destroy();
  }

  /** Clicks the notification. */
  click(id: number): void {
    const body = new Writer().uint(id).text('default');
    const about = { path: serverPath, interface: serverName, member: 'ActionInvoked', signature: 'us' };
    this.#send(4, about, body.bytes());
  }

  async stop(): Promise<void> {
    this.disappear();
    const ended = once(this.#bus, 'exit');
    this.#bus.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }

  #take(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    if (!this.#isOpen) {
      if (!this.#received.includes('\r\n')) return;
      this.#received = Buffer.alloc(0);
      this.#isOpen = true;
      this.#socket?.write('BEGIN\r\n');
      const about = { path: '/org/freedesktop/DBus', interface: busName, destination: busName };
      this.#send(1, { ...about, member: 'Hello' });
      this.#send(
        1,
        { ...about, member: 'RequestName', signature: 'su' },
        new Writer().text(serverName).uint(4).bytes(),
      );
      return;
    }
    for (;;) {
      const length = this.#received.length < 16 ? Infinity : lengthOf(this.#received);
      if (this.#received.length < length) return;
      const message = this.#received.subarray(0, length);
      this.#received = this.#received.subarray(length);
      this.#answer(message);
    }
  }

  #answer(message: Buffer): void {
    const header = new Reader(message, 12);
    const fields = new Map<number, string | number>();
    const endAt = header.uint() + 16;
    while (header.at < endAt) {
      header.align(8);
      const code = header.byte();
      const type = header.signature();
      fields.set(code, type === 'u' ? header.uint() : type === 'g' ? header.signature() : header.text());
    }
    // The answer to RequestName, which was the second call.
    if (message[1] === 2 && fields.get(5) === 2) this.#socket?.emit('owned');
    if (message[1] !== 1) return;
    const reply = { destination: String(fields.get(7)), replyTo: message.readUInt32LE(8) };
    const body = new Reader(message, Math.ceil(endAt / 8) * 8);
    switch (fields.get(3)) {
      case 'Notify': {
        body.text();
        body.uint();
        body.text();
        const notified = { id: this.notified.length + 1, title: body.text(), body: body.text() };
        this.notified.push(notified);
        this.#send(2, { ...reply, signature: 'u' }, new Writer().uint(notified.id).bytes());
        break;
      }
      case 'GetCapabilities':
        this.#send(
          2,
          { ...reply, signature: 'as' },
          new Writer().texts(['body', 'body-markup', 'actions']).bytes(),
        );
        break;
      case 'GetServerInformation': {
        const facts = new Writer().text('test').text('test').text('1').text('1.2');
        this.#send(2, { ...reply, signature: 'ssss' }, facts.bytes());
        break;
      }
      default:
        this.#send(2, reply);
    }
  }

  #send(type: 1 | 2 | 4, about: About, body: Buffer = Buffer.alloc(0)): void {
    this.#serial += 1;
    const fields = new Writer(16);
    for (const [code, signature, value] of [
      [1, 'o', about.path],
      [2, 's', about.interface],
      [3, 's', about.member],
      [5, 'u', about.replyTo],
      [6, 's', about.destination],
      [8, 'g', about.signature],
    ] as const) {
      if (value === undefined) continue;
      fields.align(8).byte(code).signature(signature);
      if (typeof value === 'number') fields.uint(value);
      else if (signature === 'g') fields.signature(value);
      else fields.text(value);
    }
    const written = fields.bytes();
    const head = Buffer.alloc(16);
    head.write('l');
    head.writeUInt8(type, 1);
    head.writeUInt8(1, 3);
    head.writeUInt32LE(body.length, 4);
    head.writeUInt32LE(this.#serial, 8);
    head.writeUInt32LE(written.length, 12);
    const padding = Buffer.alloc((8 - (written.length % 8)) % 8);
    this.#socket?.write(Buffer.concat([head, written, padding, body]));
  }
}

interface About {
  path?: string;
  interface?: string;
  member?: string;
  destination?: string;
  replyTo?: number;
  signature?: string;
}

function lengthOf(message: Buffer): number {
  const fields = message.readUInt32LE(12);
  return Math.ceil((16 + fields) / 8) * 8 + message.readUInt32LE(4);
}

/** Writes values as D-Bus does; each begins at a multiple of its size. */
class Writer {
  #bytes: number[] = [];
  /** Where the bytes begin in the message. */
  readonly #start: number;

  constructor(start = 0) {
    this.#start = start;
  }

  align(size: number): this {
    while ((this.#start + this.#bytes.length) % size !== 0) this.#bytes.push(0);
    return this;
  }

  byte(value: number): this {
    this.#bytes.push(value);
    return this;
  }

  uint(value: number): this {
    this.align(4);
    for (const shift of [0, 8, 16, 24]) this.#bytes.push((value >>> shift) & 0xff);
    return this;
  }

  text(value: string): this {
    const bytes = Buffer.from(value);
    this.uint(bytes.length);
    this.#bytes.push(...bytes, 0);
    return this;
  }

  signature(value: string): this {
    this.#bytes.push(value.length, ...Buffer.from(value), 0);
    return this;
  }

  texts(values: readonly string[]): this {
    const list = new Writer();
    for (const value of values) list.text(value);
    const bytes = list.bytes();
    this.uint(bytes.length);
    this.#bytes.push(...bytes);
    return this;
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

class Reader {
  readonly #message: Buffer;
  at: number;

  constructor(message: Buffer, at: number) {
    this.#message = message;
    this.at = at;
  }

  align(size: number): void {
    this.at = Math.ceil(this.at / size) * size;
  }

  byte(): number {
    this.at += 1;
    return this.#message.readUInt8(this.at - 1);
  }

  uint(): number {
    this.align(4);
    this.at += 4;
    return this.#message.readUInt32LE(this.at - 4);
  }

  text(): string {
    return this.#cut(this.uint());
  }

  signature(): string {
    return this.#cut(this.byte());
  }

  #cut(length: number): string {
    const text = this.#message.toString('utf8', this.at, this.at + length);
    this.at += length + 1;
    return text;
  }
}
