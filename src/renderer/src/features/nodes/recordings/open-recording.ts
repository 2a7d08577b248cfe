import type { WindowState } from '../../../state/window.ts';

/** Asks for the file of a recording, opens it and goes to it, unless the user went elsewhere; a failure becomes a message. */
export async function openRecording({
  app,
  navigation,
  messages,
}: Pick<WindowState, 'app' | 'navigation' | 'messages'>): Promise<void> {
  const isStillHere = navigation.stay();
  const result = await app.openRecording();
  if (result.ok) {
    if (result.value === null) return;
    if (isStillHere()) navigation.goToNode(result.value.id);
    else messages.done(`The recording of ${result.value.nodeName} is open. You’ll find it under Nodes.`);
  } else if (result.error.code === 'cancelled') messages.done('The recording wasn’t opened.');
  else messages.error(result.error);
}
