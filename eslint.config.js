// Lint of components, and of what a component's rules say about `.svelte.ts`. Everything else is oxlint.config.ts's. What each
// folder forbids, with the reason and the remedy, stands in scripts/check/folder-laws.mjs.
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { laws } from './scripts/check/folder-laws.mjs';
import { houseRules } from './scripts/check/house-rules.mjs';

export default defineConfig(
  { ignores: ['out/', 'coverage/**', '**/.cache/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  tseslint.configs.strict,
  svelte.configs.recommended,
  {
    plugins: { house: houseRules },
    rules: {
      'house/reasoned-exemption': 'error',
      'house/file-name': 'error',
      // Most built-in maps and sets here are derived as a whole, or are no state at all.
      'svelte/prefer-svelte-reactivity': 'off',
      // Compiles every component once more.
      'svelte/no-unused-svelte-ignore': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // A file of more than 400 lines wants to be two.
      'max-lines': ['error', 400],
      'no-unmodified-loop-condition': 'error',
      'no-warning-comments': 'error',
      'preserve-caught-error': 'error',
    },
  },
  {
    files: ['**/*.svelte.ts'],
    languageOptions: { parser: tseslint.parser },
    // The compiler says it.
    rules: { '@typescript-eslint/no-unused-vars': 'off' },
  },
  {
    files: ['**/*.svelte'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      // Without `lang="ts"` the script of a component would escape the compiler.
      'svelte/block-lang': ['error', { script: 'ts' }],
      'svelte/button-has-type': 'error',
      'svelte/no-target-blank': 'error',
      // `let { a, b } = $props()` where only one of them changes.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
    },
  },
  ...laws.map(([files, rules]) => ({ files, rules })),
);
