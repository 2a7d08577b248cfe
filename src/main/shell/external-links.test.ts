import { describe, expect, it } from 'vitest';
import { ExternalLinks } from './external-links.ts';

function setUp() {
  let monotonicMs = 1_000;
  const opened: string[] = [];
  const links = new ExternalLinks({ nowMs: () => 0, monotonicMs: () => monotonicMs }, async (url) => {
    opened.push(url);
  });
  let onInput: (event: unknown, input: { type: string }) => void = () => undefined;
  links.watch({
    on(_name: string, listener: typeof onInput) {
      onInput = listener;
      return this;
    },
    // Only `on` is used, of Electron's many overloads of it only this one.
  } as unknown as Parameters<ExternalLinks['watch']>[0]);
  return {
    links,
    opened,
    input: (type: string) => onInput({}, { type }),
    pass: (ms: number) => {
      monotonicMs += ms;
    },
  };
}

describe('ExternalLinks', () => {
  it('opens an https link right after a click', async () => {
    const { links, opened, input } = setUp();
    input('mouseUp');
    await links.open('https://explorer.example/tx/0x1');
    expect(opened).toEqual(['https://explorer.example/tx/0x1']);
  });

  it('opens one link a click', async () => {
    const { links, opened, input } = setUp();
    input('mouseUp');
    await links.open('https://a.example/');
    await expect(links.open('https://b.example/')).rejects.toThrow();
    expect(opened).toEqual(['https://a.example/']);
  });

  it.each([
    ['without any input', () => undefined],
    ['after a mere movement', ({ input }: ReturnType<typeof setUp>) => input('mouseMove')],
    [
      'long after a click',
      ({ input, pass }: ReturnType<typeof setUp>) => {
        input('mouseUp');
        pass(2_001);
      },
    ],
  ])('opens nothing %s', async (_when, prepare) => {
    const world = setUp();
    prepare(world);
    await expect(world.links.open('https://a.example/')).rejects.toThrow();
    expect(world.opened).toEqual([]);
  });

  it.each([
    'http://a.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:secret@a.example/',
    'smb://host/share',
    ' ',
    'explorer.example',
  ])('refuses %s even after a click', async (url) => {
    const { links, opened, input } = setUp();
    input('mouseUp');
    await expect(links.open(url)).rejects.toMatchObject({ error: { code: 'invalid-params' } });
    expect(opened).toEqual([]);
  });
});
