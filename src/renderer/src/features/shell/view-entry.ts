import type { LucideIcon } from '@lucide/svelte';
import type { Component } from 'svelte';
import type { ViewId } from '../../state/navigation.svelte.ts';

/** One view, for the rail, the shortcuts and the palette. */
export interface ViewEntry {
  id: ViewId;
  title: string;
  icon: LucideIcon;
  /** Its key. */
  key: string;
  place: 'main' | 'bottom';
  component: Component;
}
