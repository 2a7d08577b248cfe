import type { LucideIcon } from '@lucide/svelte';

/** One line of a menu. */
export interface MenuItem {
  text: string;
  icon: LucideIcon;
  isPrivate?: boolean;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}
