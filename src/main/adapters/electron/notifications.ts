import { execFile } from 'node:child_process';
import type { Notification } from 'electron';
import { writeAppLink } from '../../../shared/app-link.ts';
import { escapeMarkup } from '../../../shared/text.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { AlertChannel } from '../../core/ports.ts';

export interface NotificationsOptions {
  /** Opens what a notification is about; gets the text of a link. */
  open: (link: string) => void;
  /** Electron's `Notification`; tests replace it. */
  system: Pick<typeof Notification, 'isSupported'> &
    Partial<Pick<typeof Notification, 'handleActivation'>> &
    (new (options: Shown) => Pick<Notification, 'on' | 'show'>);
  /** What the server that shows them can do; null where it does not answer. Absent where there is none that could hang. */
  abilities?: () => Promise<string | null>;
}

interface Shown {
  title: string;
  body: string;
  urgency: 'normal' | 'critical';
}

const noAnswer = 'The system’s notification server isn’t responding.';

/** A server that can do this takes the body for HTML. */
const markup = 'body-markup';

/** A notification server that is there answers in milliseconds. */
const answersWithinMs = 8_000;
/** A click on a notification of this run is reported twice. */
const sameClickMs = 1_000;

/**
 * The system's notifications. On Linux `show` says that the notification server has taken it; nothing says that somebody
 * saw it.
 */
export function createNotifications({ open, system, abilities }: NotificationsOptions): AlertChannel {
  /** Kept until they are closed, or their clicks would be lost. */
  const kept = new Set<unknown>();
  let clickedMs = -Infinity;
  // Only Windows has it: clicks on notifications of an earlier run, and one may have started the app.
  system.handleActivation?.(() => {
    if (performance.now() - clickedMs > sameClickMs) open('watchkeeper://alerts');
  });
  return {
    name: 'system',
    send: async ({ title, body, level, link }) => {
      const able = abilities && (await abilities());
      if (able === null) throw unreachable(noAnswer);
      if (!system.isSupported()) throw unreachable('This system can’t show notifications.');
      // What a token or a node is called must be no link there.
      const shown = able?.includes(markup) === true ? escapeMarkup(body) : body;
      const urgency = level === 'wake' ? 'critical' : 'normal';
      const notification = new system({ title, body: shown, urgency });
      kept.add(notification);
      await new Promise<void>((accepted, refused) => {
        const refuse = (message: string): void => {
          clearTimeout(limit);
          kept.delete(notification);
          refused(unreachable(message));
        };
        const limit = setTimeout(() => refuse(noAnswer), answersWithinMs);
        notification.on('show', () => {
          clearTimeout(limit);
          accepted();
        });
        notification.on('failed', (_event, reason) => {
          const why = reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`;
          refuse(`The system refused the notification${why}.`);
        });
        notification.on('close', () => kept.delete(notification));
        notification.on('click', () => {
          kept.delete(notification);
          clickedMs = performance.now();
          open(writeAppLink(link));
        });
        notification.show();
      });
    },
  };
}

function unreachable(message: string): AppFailure {
  return new AppFailure({ code: 'unreachable', message });
}

/**
 * Asks the notification server of a Linux desktop what it can, in a process of its own. Electron waits for the server in the main
 * process, for minutes where it hangs. Null after `limitMs`: the limit of `dbus-send` begins only once the bus itself has
 * answered. Where that cannot be asked, it can what most can.
 */
export function notificationServerAbilities(limitMs = answersWithinMs): Promise<string | null> {
  const [path, name] = ['/org/freedesktop/Notifications', 'org.freedesktop.Notifications'];
  const call = [`--dest=${name}`, path, `${name}.GetCapabilities`];
  const asked = ['--session', '--print-reply', '--reply-timeout=3000', ...call];
  return new Promise((resolve) => {
    execFile('dbus-send', asked, { timeout: limitMs }, (error, said) =>
      resolve(error === null ? said : error.code === 'ENOENT' ? markup : null),
    );
  });
}
