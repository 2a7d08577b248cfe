import { expect, it } from 'vitest';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp } from '../../../testing/render.ts';
import JobsPill from '../../shell/JobsPill.svelte';
import { openRecording } from './open-recording.ts';

const recording = { id: 'rec', nodeName: 'harbor-1', fromMs: 0, toMs: 1, reportCount: 1, path: '/x' };

it('that was read goes to it, unless you went elsewhere meanwhile: then it is told', async () => {
  const { app, bridge, messages, navigation } = await renderInApp(JobsPill, {});
  bridge.answer('recordings.open', () => ok(recording));
  await openRecording({ app, navigation, messages });
  expect(navigation).toMatchObject({ view: 'nodes', nodeId: 'rec' });
  const opening = openRecording({ app, navigation, messages });
  navigation.go('settings');
  await opening;
  expect(navigation.view).toBe('settings');
  expect(messages.list).toMatchObject([
    { text: 'The recording of harbor-1 is open. You’ll find it under Nodes.' },
  ]);
});
