import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { drawnText } from './scripts/drawn-text.ts';

export default {
  // First: what it reads are the templates as they are written.
  preprocess: [drawnText, vitePreprocess()],
  compilerOptions: { runes: true },
};
