import { describe, expect, it } from 'vitest';
import { createHandlers, type ShellServices } from './handlers.ts';

/** Handlers whose services never start, over a shell of which only what is given is called. */
const handlersOver = (shell: Partial<ShellServices>) =>
  createHandlers(() => new Promise(() => undefined), shell as ShellServices);

describe('a text to copy', () => {
  it('counts as copied when the system has taken it', async () => {
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    let isCopied = false;
    const handlers = handlersOver({ copyText: () => taken });
    const copying = Promise.resolve(handlers['app.copyText']({ text: '0x1' })).then(() => (isCopied = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isCopied).toBe(false);
    resolve();
    await copying;
  });

  it('fails where the system does not take it', async () => {
    const handlers = handlersOver({ copyText: () => Promise.reject(new Error('No clipboard.')) });
    await expect(handlers['app.copyText']({ text: '0x1' })).rejects.toThrow('No clipboard.');
  });
});
