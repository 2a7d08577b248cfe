import type { AlertChannel } from '../src/main/core/ports.ts';
import { AppFailure } from '../src/shared/errors.ts';

export type Message = Parameters<AlertChannel['send']>[0];

/** What shows the app's messages to the user; now and then it refuses them. */
export class Notifications implements AlertChannel {
  readonly name = 'system';
  isDown = false;
  onShown: (message: Message) => void = () => undefined;

  async send(message: Message): Promise<void> {
    if (this.isDown) throw new AppFailure({ code: 'unreachable', message: 'Nothing shows messages.' });
    this.onShown(message);
  }
}
