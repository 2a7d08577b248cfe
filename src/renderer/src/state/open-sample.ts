import { call } from '../bridge.ts';
import type { Messages } from './messages.svelte.ts';

/** Opens the sample data in a separate window. */
export async function openSample(messages: Messages): Promise<void> {
  messages.done('Sample data opens in a separate window.');
  await messages.report(call('app.openSample'));
}
