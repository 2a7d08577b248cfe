import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

// X Window System Protocol, version 11: the requests that are needed, and FakeInput of its extension XTEST 2.2.
const request = {
  grabKeyboard: 31,
  ungrabKeyboard: 32,
  grabServer: 36,
  ungrabServer: 37,
  getInputFocus: 43,
  queryExtension: 98,
};
const fakeInput = 2;
const keyPress = 2;
const keyRelease = 3;

/** Key codes of the virtual display's keyboard, which has the US layout. */
const keyCodes: Readonly<Record<string, number>> = { '\x1b': 9, e: 26, t: 28, '\n': 36, s: 39 };

/** Types at a virtual display, as a user would at a prompt that grabs the keyboard. */
export class VirtualKeyboard {
  readonly #socket: Socket;
  readonly #root: number;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket, root: number) {
    this.#socket = socket;
    this.#root = root;
    socket.on('data', (data) => (this.#received = Buffer.concat([this.#received, data])));
  }

  /** `display` is its number. */
  static async at(display: string): Promise<VirtualKeyboard> {
    const socket = connect(`/tmp/.X11-unix/X${display}`);
    await once(socket, 'connect');
    const hello = Buffer.alloc(12);
    hello.write('l');
    hello.writeUInt16LE(11, 2);
    socket.write(hello);
    let setup = Buffer.alloc(0);
    while (setup.length < 8 || setup.length < 8 + setup.readUInt16LE(6) * 4) {
      const [data] = (await once(socket, 'data')) as [Buffer];
      setup = Buffer.concat([setup, data]);
    }
    if (setup.readUInt8(0) !== 1) throw new Error('The display refused the connection.');
    const vendorBytes = setup.readUInt16LE(24);
    const formatCount = setup.readUInt8(29);
    return new VirtualKeyboard(
      socket,
      setup.readUInt32LE(40 + Math.ceil(vendorBytes / 4) * 4 + formatCount * 8),
    );
  }

  /** Whether a program has grabbed the keyboard, as the prompt of a keyring does while it is shown. */
  async isTaken(): Promise<boolean> {
    const take = Buffer.alloc(16);
    take.writeUInt8(request.grabKeyboard, 0);
    take.writeUInt16LE(4, 2);
    take.writeUInt32LE(this.#root, 4);
    take.writeUInt8(1, 12);
    take.writeUInt8(1, 13);
    const giveBack = Buffer.alloc(8);
    giveBack.writeUInt8(request.ungrabKeyboard, 0);
    giveBack.writeUInt16LE(2, 2);
    // The server serves no other client in between, so that this test grab never blocks the prompt's.
    this.#socket.write(
      Buffer.concat([short(request.grabServer), take, giveBack, short(request.ungrabServer)]),
    );
    return (await this.#reply()).readUInt8(1) !== 0;
  }

  async type(text: string): Promise<void> {
    const question = Buffer.alloc(16);
    question.writeUInt8(request.queryExtension, 0);
    question.writeUInt16LE(4, 2);
    question.writeUInt16LE(5, 4);
    question.write('XTEST', 8);
    this.#socket.write(question);
    const opcode = (await this.#reply()).readUInt8(9);
    for (const letter of text) {
      const code = keyCodes[letter];
      if (code === undefined) throw new Error(`This keyboard has no “${letter}”.`);
      for (const kind of [keyPress, keyRelease]) {
        const input = Buffer.alloc(36);
        input.writeUInt8(opcode, 0);
        input.writeUInt8(fakeInput, 1);
        input.writeUInt16LE(9, 2);
        input.writeUInt8(kind, 4);
        input.writeUInt8(code, 5);
        this.#socket.write(input);
      }
    }
    // Answered only when all requests before it have been handled.
    this.#socket.write(short(request.getInputFocus));
    await this.#reply();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The next reply; events are skipped. */
  async #reply(): Promise<Buffer> {
    for (;;) {
      while (this.#received.length < 32) await once(this.#socket, 'data');
      const reply = this.#received.subarray(0, 32);
      this.#received = this.#received.subarray(32);
      if (reply.readUInt8(0) === 0) throw new Error(`The display refused a request (${reply.readUInt8(1)}).`);
      if (reply.readUInt8(0) === 1) return reply;
    }
  }
}

/** A request without parameters. */
function short(opcode: number): Buffer {
  return Buffer.from([opcode, 0, 1, 0]);
}
