import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../../shared/errors.ts';
import { NodeHeaders } from './node-headers.ts';
import { asResults } from '../../testing/as-results.ts';
import { createFakeKeychain, createFakeLog } from '../testing/fake-ports.ts';

const url = 'https://node.example/7';
/** The node was stored. */
const stored = () => Promise.resolve();

function createWorld() {
  const keychain = createFakeKeychain();
  const log = createFakeLog();
  return { keychain, log, headers: asResults(new NodeHeaders(keychain, log)) };
}

/** What another start of the app knows. */
const restarted = ({ keychain, log }: ReturnType<typeof createWorld>) =>
  asResults(new NodeHeaders(keychain, log));

describe('the values of a node’s headers', () => {
  it('are in the keychain, under an account of the node, and come back after a restart', async () => {
    const world = createWorld();
    expect(await world.headers.keep('n1', url, { 'x-key': 'hunter2' }, stored)).toMatchObject({ ok: true });
    expect([...world.keychain.entries.keys()]).toEqual(['node n1']);
    expect(await restarted(world).valuesFor('n1', url, ['x-key'])).toEqual({
      ok: true,
      value: { 'x-key': 'hunter2' },
    });
    expect(await restarted(world).valuesFor('n2', url, ['x-key'])).toMatchObject({
      ok: false,
      error: { code: 'no-secret' },
    });
  });

  it('are never sent to another origin', async () => {
    const { headers } = createWorld();
    await headers.keep('n1', url, { 'x-key': 'hunter2' }, stored);
    for (const other of [
      'https://evil.example/7',
      'http://node.example/7',
      'https://node.example:444/7',
      'x',
    ]) {
      const polled = await headers.valuesFor('n1', other, ['x-key']);
      expect(polled).toMatchObject({ ok: false, error: { code: 'no-secret' } });
      const filled = await headers.fill('n1', other, [{ name: 'x-key', value: null }]);
      expect(filled).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
      expect(JSON.stringify([polled, filled])).not.toContain('hunter2');
    }
    expect(await headers.valuesFor('n1', 'https://node.example/other', ['x-key'])).toMatchObject({
      ok: true,
    });
  });

  it('fill in what was not given again', async () => {
    const { headers } = createWorld();
    await headers.keep('n1', url, { a: '1', b: '2' }, stored);
    const given = [
      { name: 'a', value: null },
      { name: 'c', value: '3' },
    ];
    expect(await headers.fill('n1', url, given)).toEqual({ ok: true, value: { a: '1', c: '3' } });
    const missing = [{ name: 'd', value: null }];
    for (const id of ['n1', 'n2', null]) {
      expect(await headers.fill(id, url, missing)).toMatchObject({
        error: { code: 'invalid-params', message: 'The header “d” has no value.' },
      });
    }
    // Names that every object has are no values.
    expect(await headers.fill('n1', url, [{ name: 'constructor', value: null }])).toMatchObject({
      ok: false,
    });
  });

  it('are put back when the node could not be stored', async () => {
    const { headers, keychain, log } = createWorld();
    await headers.keep('n1', url, { a: '1' }, stored);
    const before = keychain.entries.get('node n1');
    const refused = () => Promise.reject(new AppFailure({ code: 'storage', message: 'The disk is full.' }));
    expect(await headers.keep('n1', url, { a: '2' }, refused)).toMatchObject({ error: { code: 'storage' } });
    expect(keychain.entries.get('node n1')).toBe(before);
    expect(await headers.valuesFor('n1', url, ['a'])).toEqual({ ok: true, value: { a: '1' } });
    const refusedAndLocked = () => {
      keychain.fail('locked');
      return refused();
    };
    expect(await headers.keep('n1', url, { a: '2' }, refusedAndLocked)).toMatchObject({
      error: { code: 'storage' },
    });
    expect(log.entries).toMatchObject([{ level: 'error', event: 'keychain.entry-left' }]);
  });

  it('leave no entry behind', async () => {
    const { headers, keychain } = createWorld();
    await headers.keep('n1', url, { a: '1' }, stored);
    await headers.keep('n1', url, {}, stored);
    expect(keychain.entries.size).toBe(0);
    await headers.keep('n1', url, { a: '1' }, stored);
    expect(await headers.forget('n1')).toMatchObject({ ok: true });
    expect(keychain.entries.size).toBe(0);
  });

  it('that cannot be read for good count as not kept', async () => {
    const { headers, keychain } = createWorld();
    for (const [index, text] of [
      '',
      '{',
      '[]',
      '{"origin":1}',
      '{"origin":"x","headers":{"a":1}}',
    ].entries()) {
      keychain.entries.set(`node ${index}`, text);
      expect(await headers.valuesFor(String(index), url, ['a'])).toMatchObject({
        ok: false,
        error: { code: 'no-secret' },
      });
    }
  });
});

describe('a keychain that does not answer', () => {
  it('is not asked for a node without headers', async () => {
    const { headers, keychain } = createWorld();
    keychain.fail('locked');
    expect(await headers.valuesFor('n1', url, [])).toEqual({ ok: true, value: {} });
    expect(await headers.fill('n1', url, [{ name: 'a', value: '1' }])).toEqual({
      ok: true,
      value: { a: '1' },
    });
    expect(keychain.reads()).toBe(0);
  });

  it('is not asked by polls as by a person', async () => {
    const world = createWorld();
    await world.headers.keep('n1', url, { a: '1' }, stored);
    const headers = restarted(world);
    const { keychain } = world;
    const before = keychain.readsByUser();
    keychain.fail('locked');
    expect(await headers.valuesFor('n1', url, ['a'])).toMatchObject({
      ok: false,
      error: { code: 'keychain', message: expect.stringContaining('locked') as string },
    });
    expect(keychain.readsByUser()).toBe(before);
    keychain.fail(null);
    expect(await headers.fill('n1', url, [{ name: 'a', value: null }])).toMatchObject({ ok: true });
    expect(keychain.readsByUser()).toBe(before + 1);
    expect(await headers.valuesFor('n1', url, ['a'])).toMatchObject({ ok: true });
  });

  it('refuses new values, and has nothing to forget where there is none', async () => {
    const { headers, keychain } = createWorld();
    keychain.fail('absent');
    expect(await headers.keep('n1', url, { a: '1' }, stored)).toMatchObject({
      ok: false,
      error: { code: 'keychain' },
    });
    expect(await headers.keep('n1', url, {}, stored)).toMatchObject({ ok: true });
    expect(await headers.forget('n1')).toMatchObject({ ok: true });
    keychain.fail('locked');
    expect(await headers.forget('n1')).toMatchObject({ error: { code: 'keychain' } });
    expect(await headers.keep('n1', url, {}, stored)).toMatchObject({ ok: false });
  });
});
