import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import RecordingProgress from './RecordingProgress.svelte';

describe('RecordingProgress', () => {
  it('is not there while none is written or read, nor while its place is chosen', async () => {
    const { bridge } = await renderInApp(RecordingProgress, {});
    expect(screen.queryByRole('progressbar')).toBeNull();
    bridge.emit('recordingTask.changed', { kind: 'open', polls: 0, share: 0 });
    await Promise.resolve();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('tells how far it is, reads out only what it does, and can be called off', async () => {
    const { bridge, user } = await renderInApp(RecordingProgress, {});
    bridge.emit('recordingTask.changed', { kind: 'save', polls: 12_345, share: 0.437 });
    const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Saving the recording' });
    expect(bar.value).toBe(43);
    expect(screen.getByText('43 %, 12,345 polls')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Saving the recording');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(bridge.argsOf('recordings.cancel')).toHaveLength(1);
    bridge.emit('recordingTask.changed', null);
    await expect.poll(() => screen.queryByRole('progressbar')).toBeNull();
  });
});
