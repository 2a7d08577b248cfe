import { describe, expect, it, vi } from 'vitest';
import type { Log } from '../../core/ports.ts';
import { KeptSecrets } from '../../core/secrets/kept-secrets.ts';
import { classifyKeychainError, createKeychain, type Keytar } from './keychain.ts';

const account = 'https://data.example.com';

function createFakeKeytar(): Keytar & {
  entries: Map<string, string>;
  failWith: Error | null;
  hangs: boolean;
} {
  const entries = new Map<string, string>();
  const fake = {
    entries,
    failWith: null as Error | null,
    hangs: false,
    async call<T>(action: () => T): Promise<T> {
      if (fake.hangs) await new Promise(() => undefined);
      if (fake.failWith !== null) throw fake.failWith;
      return action();
    },
    getPassword: (service: string, name: string) =>
      fake.call(() => entries.get(`${service} ${name}`) ?? null),
    setPassword: (service: string, name: string, password: string) =>
      fake.call(() => void entries.set(`${service} ${name}`, password)),
    deletePassword: (service: string, name: string) => fake.call(() => entries.delete(`${service} ${name}`)),
  };
  return fake;
}

function createRecordingLog(): Log & { text(): string } {
  const lines: string[] = [];
  const record = (...parts: unknown[]) => lines.push(JSON.stringify(parts));
  return {
    info: record,
    warn: record,
    error: (...parts) => String(record(...parts)),
    text: () => lines.join('\n'),
  };
}

const asked = { isAskedFor: true, onLate: () => {} };

function build(limitMs = 5_000) {
  let nowMs = 0;
  const keytar = createFakeKeytar();
  const log = createRecordingLog();
  let loads = 0;
  const keychain = createKeychain({
    log,
    limitsMs: { read: limitMs, change: limitMs },
    monotonicMs: () => nowMs,
    load: async () => {
      loads += 1;
      return keytar;
    },
  });
  const wait = (ms: number) => void (nowMs += ms);
  return { keytar, log, keychain, wait, loads: () => loads };
}

describe('the keychain', () => {
  it('keeps, gives back and forgets a key, under the name of the app', async () => {
    const { keytar, keychain } = build();
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: null });
    expect(await keychain.write(account, 'k1')).toEqual({ ok: true, value: null });
    expect([...keytar.entries]).toEqual([[`Watchkeeper ${account}`, 'k1']]);
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: 'k1' });
    expect(await keychain.remove(account)).toEqual({ ok: true, value: null });
    expect(await keychain.remove(account)).toEqual({ ok: true, value: null });
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: null });
  });

  it('loads the native module with the first call, and once', async () => {
    const { keychain, loads } = build();
    expect(loads()).toBe(0);
    await Promise.all([keychain.read(account, asked), keychain.read(account, asked)]);
    expect(loads()).toBe(1);
  });

  it('is absent when the native module cannot be loaded', async () => {
    const log = createRecordingLog();
    const load = () => Promise.reject(new Error('libsecret-1.so.0: cannot open shared object file'));
    const keychain = createKeychain({ log, load });
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'absent' });
    expect(await keychain.write(account, 'k1')).toEqual({ ok: false, failure: 'absent' });
  });

  it('is locked when a call does not end in time, as it does while a prompt is open', async () => {
    const { keytar, keychain } = build(10);
    keytar.hangs = true;
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'locked' });
    expect(await keychain.write(account, 'k1')).toEqual({ ok: false, failure: 'locked' });
    expect(await keychain.remove(account)).toEqual({ ok: false, failure: 'locked' });
  });

  it('takes “nothing stored” after the time of a prompt for a prompt that was dismissed', async () => {
    const { keytar, keychain, wait } = build();
    const answersAfter = (ms: number) => {
      keytar.getPassword = async () => {
        wait(ms);
        return null;
      };
    };
    answersAfter(999);
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: null });
    answersAfter(1_000);
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'locked' });
    expect(await keychain.remove(account)).toEqual({ ok: false, failure: 'locked' });
    keytar.getPassword = async () => {
      wait(4_000);
      return 'k1';
    };
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: 'k1' });
  });

  it('does not take the refusal of a locked keychain to delete for “nothing was there”', async () => {
    const { keytar, keychain } = build();
    await keychain.write(account, 'k1');
    const { deletePassword, getPassword } = keytar;
    // As libsecret does: deleting asks nobody and deletes nothing, reading shows the prompt.
    keytar.deletePassword = async () => false;
    expect(await keychain.remove(account)).toEqual({ ok: false, failure: 'locked' });
    expect(keytar.entries.size).toBe(1);
    keytar.getPassword = async (service, name) => {
      keytar.deletePassword = deletePassword;
      return await getPassword(service, name);
    };
    expect(await keychain.remove(account)).toEqual({ ok: true, value: null });
    expect(keytar.entries.size).toBe(0);
  });

  it('deletes nothing once the removal was given up', async () => {
    const { keytar, keychain } = build(10);
    await keychain.write(account, 'k1');
    const { deletePassword } = keytar;
    let answerPrompt = () => {};
    keytar.deletePassword = async () => false;
    keytar.getPassword = () =>
      new Promise((answered) => {
        answerPrompt = () => answered('k1');
      });
    expect(await keychain.remove(account)).toEqual({ ok: false, failure: 'locked' });
    keytar.deletePassword = deletePassword;
    answerPrompt();
    keytar.getPassword = async () => 'k1';
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: 'k1' });
    expect(keytar.entries.size).toBe(1);
  });

  it('waits for the call that hangs instead of starting more, and forgets what was given up meanwhile', async () => {
    const { keytar, keychain } = build(10);
    let answerPrompt = () => {};
    const prompt = new Promise<null>((answered) => {
      answerPrompt = () => answered(null);
    });
    keytar.getPassword = () => prompt;
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'locked' });
    expect(await keychain.write('another account', 'given up')).toEqual({ ok: false, failure: 'locked' });

    expect(keychain.isBusy()).toBe(true);
    answerPrompt();
    expect(await keychain.write(account, 'k1')).toEqual({ ok: true, value: null });
    expect([...keytar.entries.values()]).toEqual(['k1']);
    expect(keychain.isBusy()).toBe(false);
  });

  it('gives a user the time to type the password, where something is saved or removed', async () => {
    vi.useFakeTimers();
    const { keytar, keychain } = build();
    const patient = createKeychain({ log: createRecordingLog(), load: async () => keytar });
    keytar.hangs = true;
    const outcomes: string[] = [];
    const noted = (name: string) => () => void outcomes.push(name);
    void patient.write(account, 'k1').then(noted('write'));
    void keychain.write(account, 'k1').then(noted('5 s'));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(outcomes).toEqual(['5 s']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcomes).toEqual(['5 s', 'write']);
    vi.useRealTimers();
  });

  it('hands over what a prompt has opened that was answered late', async () => {
    const { keytar, keychain } = build(10);
    const prompt = Promise.withResolvers<string>();
    keytar.getPassword = () => prompt.promise;
    const onLate = vi.fn();
    const background = { isAskedFor: false, onLate };
    expect(await keychain.read(account, background)).toEqual({ ok: false, failure: 'locked' });
    expect(onLate).not.toHaveBeenCalled();
    prompt.resolve('k1');
    // It is open now, so that it is asked again.
    await expect.poll(() => onLate.mock.calls).toEqual([['k1']]);
    expect(await keychain.read(account, background)).toEqual({ ok: true, value: 'k1' });
    expect(onLate).toHaveBeenCalledOnce();
  });

  it.each([null, 'https://old.example'])(
    'keeps what it had (%s) when the prompt for a change is answered after the change has failed',
    async (before) => {
      const { keytar, keychain, log } = build(10);
      const kept = new KeptSecrets(keychain);
      if (before !== null) await kept.write(account, before);
      await kept.read(account, true);
      const { setPassword } = keytar;
      const prompt = Promise.withResolvers<void>();
      const done = Promise.withResolvers<void>();
      keytar.setPassword = async (...args) => {
        await prompt.promise;
        keytar.setPassword = setPassword;
        await setPassword(...args);
        done.resolve();
      };
      const change = vi.fn();
      await expect(kept.writeFor(account, 'https://new.example', change, log)).rejects.toThrow('locked');
      prompt.resolve();
      await done.promise;
      expect(await keychain.read(account, asked)).toEqual({ ok: true, value: before });
      expect([change.mock.calls, kept.known(account).text]).toEqual([[], before]);
    },
  );

  it('shows one prompt for all that the app reads by itself, and after one that was dismissed none for five minutes', async () => {
    const { keytar, keychain, wait } = build();
    keytar.failWith = new Error('Prompt was dismissed');
    const ask = vi.spyOn(keytar, 'getPassword');
    const background = { ...asked, isAskedFor: false };
    const locked = { ok: false, failure: 'locked' };
    const accounts = ['a', 'b', 'c'].map((one) => keychain.read(one, background));
    expect(await Promise.all(accounts)).toEqual([locked, locked, locked]);
    expect(ask).toHaveBeenCalledTimes(1);
    wait(299_000);
    expect(await keychain.read('d', background)).toEqual(locked);
    expect(ask).toHaveBeenCalledTimes(1);
    wait(1_000);
    await keychain.read('d', background);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(await keychain.read('d', asked)).toEqual(locked);
    expect(ask).toHaveBeenCalledTimes(3);
    keytar.failWith = null;
    expect(await keychain.read('d', asked)).toEqual({ ok: true, value: null });
    expect(await keychain.read('e', background)).toEqual({ ok: true, value: null });
  });

  it('is said to be absent as long as it is not asked again', async () => {
    const { keytar, keychain } = build();
    keytar.failWith = new Error('The name org.freedesktop.secrets was not provided by any .service files');
    for (const name of ['a', 'b'])
      expect(await keychain.read(name, { ...asked, isAskedFor: false })).toEqual({
        ok: false,
        failure: 'absent',
      });
  });

  it('is not absent any more once it has answered', async () => {
    const { keytar, keychain } = build();
    // libsecret's words when the daemon of the keyring was restarted.
    keytar.failWith = new Error('The name :1.3 was not provided by any .service files');
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'absent' });
    keytar.failWith = null;
    expect(await keychain.write(account, 'k1')).toEqual({ ok: true, value: null });
    keytar.failWith = new Error('The name :1.3 was not provided by any .service files');
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'locked' });
    expect(await keychain.remove(account)).toEqual({ ok: false, failure: 'locked' });
  });

  it('goes on after a call that failed', async () => {
    const { keytar, keychain } = build();
    keytar.failWith = new Error('Prompt was dismissed');
    expect(await keychain.read(account, asked)).toEqual({ ok: false, failure: 'locked' });
    keytar.failWith = null;
    expect(await keychain.read(account, asked)).toEqual({ ok: true, value: null });
  });

  it('tells the log which call failed, and never the key', async () => {
    const { keytar, keychain, log } = build();
    keytar.failWith = new Error('cannot store marked-key');
    await keychain.write(account, 'marked-key');
    expect(log.text()).toContain('write');
    expect(log.text()).not.toContain('marked-key');
  });
});

describe('classifyKeychainError', () => {
  it.each([
    ['The name org.freedesktop.secrets was not provided by any .service files', 'absent'],
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'absent'],
    ['Could not connect: No such file or directory', 'absent'],
    ['libsecret-1.so.0: cannot open shared object file: No such file or directory', 'absent'],
    ['A default keychain could not be found.', 'absent'],
    ['Cannot create an item in a locked collection', 'locked'],
    ['Prompt was dismissed', 'locked'],
    ['User canceled the operation.', 'locked'],
    ['User interaction is not allowed.', 'locked'],
    ['The user name or passphrase you entered is not correct.', 'locked'],
  ])('%s: %s', (message, failure) => {
    expect(classifyKeychainError(new Error(message))).toBe(failure);
    expect(classifyKeychainError(message)).toBe(failure);
  });
});
