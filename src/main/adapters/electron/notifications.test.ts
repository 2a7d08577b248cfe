import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNotifications } from './notifications.ts';

let made: Fake[] = [];

class Fake extends EventEmitter {
  static supported = true;
  readonly given: { title: string; body: string; urgency: string };
  shown = false;

  constructor(given: { title: string; body: string; urgency: string }) {
    super();
    this.given = given;
    made.push(this);
  }

  static isSupported(): boolean {
    return Fake.supported;
  }

  show(): void {
    this.shown = true;
  }
}

const message = {
  id: '1',
  title: 'node-1 isn’t responding',
  body: 'Since 12:00.',
  level: 'wake',
  link: { view: 'incident', nodeId: 'n1', id: 'e1', among: 'all' },
} as const;

afterEach(() => {
  made = [];
  Fake.supported = true;
  vi.useRealTimers();
});

describe('notifications of the system', () => {
  it('are accepted when they are shown, and a click opens what they are about', async () => {
    const opened: string[] = [];
    // An emitter stands for Electron's class, whose events have types of their own.
    const channel = createNotifications({ open: (link) => opened.push(link), system: Fake as never });
    const sending = channel.send(message, false);
    const [shown] = made;
    expect(shown?.given).toEqual({ title: message.title, body: message.body, urgency: 'critical' });
    shown?.emit('show');
    await sending;
    shown?.emit('click');
    expect(opened).toEqual(['watchkeeper://incidents/n1/e1']);
  });

  it('of an earlier run open the alerts when they are clicked, on Windows; one of this run only what it is about', async () => {
    const opened: string[] = [];
    let activate = (): void => undefined;
    class OnWindows extends Fake {
      static handleActivation(callback: () => void): void {
        activate = callback;
      }
    }
    const channel = createNotifications({ open: (link) => opened.push(link), system: OnWindows as never });
    activate();
    const sending = channel.send(message, false);
    made[0]?.emit('show');
    await sending;
    made[0]?.emit('click');
    activate();
    expect(opened).toEqual(['watchkeeper://alerts', 'watchkeeper://incidents/n1/e1']);
  });

  it('are not given to a server that does not answer, for which Electron would wait', async () => {
    let able: string | null = null;
    const abilities = () => Promise.resolve(able);
    const channel = createNotifications({ open: () => undefined, system: Fake as never, abilities });
    await expect(channel.send(message, false)).rejects.toThrow('isn’t responding');
    expect(made).toEqual([]);
    able = '';
    const sending = channel.send(message, false);
    await vi.waitFor(() => expect(made).toHaveLength(1));
    made[0]?.emit('show');
    await sending;
  });

  it.each([
    ['body-markup', 'The alert was: 5 &lt;a href=x&gt;A&amp;B&lt;/a&gt;'],
    ['body', 'The alert was: 5 <a href=x>A&B</a>'],
  ])('have no markup for a server that can do %s', async (ability, body) => {
    const abilities = () => Promise.resolve(`array [ string "${ability}" ]`);
    const channel = createNotifications({ open: () => undefined, system: Fake as never, abilities });
    const sending = channel.send({ ...message, body: 'The alert was: 5 <a href=x>A&B</a>' }, false);
    await vi.waitFor(() => expect(made[0]?.given.body).toBe(body));
    made[0]?.emit('show');
    await sending;
  });

  it('are refused where there are none, and where the system says so or says nothing', async () => {
    vi.useFakeTimers();
    const channel = createNotifications({ open: () => undefined, system: Fake as never });
    const failing = channel.send(message, false);
    made[0]?.emit('failed', {}, 'not allowed');
    await expect(failing).rejects.toThrow('The system refused the notification: not allowed');
    const unexplained = channel.send(message, false);
    made[1]?.emit('failed', {}, '');
    await expect(unexplained).rejects.toThrow(/^The system refused the notification\.$/);
    const waiting = expect(channel.send(message, false)).rejects.toThrow('isn’t responding');
    await vi.advanceTimersByTimeAsync(10_000);
    await waiting;
    Fake.supported = false;
    await expect(channel.send(message, false)).rejects.toThrow('This system can’t show notifications.');
  });
});
