import { render } from '@testing-library/svelte';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { Component } from 'svelte';
import { vi } from 'vitest';
import type { AppState } from '../state/app.svelte.ts';
import type { Explore } from '../state/explore.svelte.ts';
import type { Messages } from '../state/messages.svelte.ts';
import type { Navigation } from '../state/navigation.svelte.ts';
import { FakeBridge, installBridge } from './fake-bridge.ts';
import Harness from './Harness.svelte';
import { fullWorld, type World } from './sample-world.ts';

/** The context of a component. */
export interface Surroundings {
  app: AppState;
  navigation: Navigation;
  explore: Explore;
  messages: Messages;
  /** Moves the time, which otherwise stands still. */
  setNow: (ms: number) => void;
}

export interface Rendered<Props> extends Surroundings {
  bridge: FakeBridge;
  /** Changes the component's props. */
  rerender: (props: Props) => Promise<void>;
  user: UserEvent;
}

/** A Wednesday, 14:05:07 UTC: the time of all tests. */
export const testNowMs = Date.UTC(2026, 8, 16, 14, 5, 7);

interface Options {
  world?: World;
  /** Changes answers before the first call. */
  prepare?: (bridge: FakeBridge) => void;
}

/** The event loop turns between two actions, as with a real user, but not between the letters of a text. */
function createUser(): UserEvent {
  const user = userEvent.setup();
  const typist = user.setup({ delay: null });
  const type: UserEvent['type'] = async (...args) => {
    await typist.type(...args);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { ...user, type };
}

/** Renders one component as the app would, with a fake main process behind it. */
export async function renderInApp<Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: Props,
  options: Options = {},
): Promise<Rendered<Props>> {
  const bridge = new FakeBridge(options.world ?? fullWorld(testNowMs));
  options.prepare?.(bridge);
  installBridge(bridge);
  const found: { surroundings: Surroundings | null } = { surroundings: null };
  const view = render(Harness, {
    props: {
      // The harness passes on the component's props, which the caller's types have checked.
      component: component as Component<Record<string, unknown>>,
      testedProps: props,
      nowMs: testNowMs,
      onready: (surroundings: Surroundings) => (found.surroundings = surroundings),
    },
  });
  const { surroundings } = found;
  if (surroundings === null) throw new Error('the harness did not start');
  await vi.waitUntil(() => surroundings.app.phase === 'ready', { timeout: 60_000, interval: 1 });
  const rerender = (testedProps: Props) => view.rerender({ testedProps });
  return { ...surroundings, bridge, user: createUser(), rerender };
}
