import type { LucideIcon } from '@lucide/svelte';
import type { Component } from 'svelte';
import type { ViewId } from '../../state/navigation.svelte.ts';

/** One place of the window, as the rail, the shortcuts and the palette see it. */
export interface ViewEntry {
  id: ViewId;
  title: string;
  icon: LucideIcon;
  /** The key that goes there. */
  key: string;
  place: 'main' | 'bottom';
  component: Component;
}
