import type { Session } from 'electron';

/**
 * Asks Chromium what the system's proxy rules say of an origin: settings, variables of the environment, or a PAC file,
 * which is fetched with the first question. The session for that sends no request itself.
 */
export function createSystemRules(sessions: {
  fromPartition(name: string): Pick<Session, 'setProxy' | 'resolveProxy'>;
}): (origin: string) => Promise<string> {
  let ready: Promise<Pick<Session, 'resolveProxy'>> | null = null;
  async function open() {
    const session = sessions.fromPartition('system-rules');
    await session.setProxy({ mode: 'system' });
    return session;
  }
  return async (origin) => {
    ready ??= open();
    // A failure is not kept: the next question opens it again.
    ready.catch(() => (ready = null));
    return (await ready).resolveProxy(origin);
  };
}
