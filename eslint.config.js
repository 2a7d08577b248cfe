// Lint without types, and one of the four nets that hold the import rules (docs/architecture.md). What each folder forbids, with the
// reason and the remedy, is in scripts/check/folder-laws.mjs; this file says what applies where.
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { laws } from './scripts/check/folder-laws.mjs';
import { houseRules } from './scripts/check/house-rules.mjs';

const tests = ['**/*.test.ts', '**/testing/**', '**/testing.ts', 'e2e/**'];

export default defineConfig(
  { ignores: ['out/', 'coverage/**', '**/.cache/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },

  // ---- Correctness -------------------------------------------------------------------------------------------------
  tseslint.configs.strict,
  svelte.configs.recommended,
  {
    plugins: { house: houseRules },
    rules: {
      'house/reasoned-exemption': 'error',
      'house/file-name': 'error',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': 'allow-with-description', minimumDescriptionLength: 10 },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      // Said with reason and remedy in folder-laws.mjs.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'svelte/no-at-html-tags': 'off',
      // Most built-in maps and sets here are derived as a whole, or are no state at all.
      'svelte/prefer-svelte-reactivity': 'off',
      // Compiles every component once more.
      'svelte/no-unused-svelte-ignore': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // A file of more than 400 lines wants to be two.
      'max-lines': ['error', 400],
      'no-cond-assign': 'error',
      'no-dupe-else-if': 'error',
      'no-eval': 'error',
      'no-irregular-whitespace': 'error',
      'no-misleading-character-class': 'error',
      'no-new-func': 'error',
      'no-self-compare': 'error',
      'no-sparse-arrays': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-catch': 'error',
      'no-warning-comments': 'error',
      'preserve-caught-error': 'error',
    },
  },
  {
    // What needs types is .oxlintrc.json's, so a file's findings depend on the file alone and can be kept.
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    rules: {
      'house/reasoned-cast': 'error',
      // The compiler says it.
      '@typescript-eslint/no-unused-vars': 'off',
      // An opinion on `void` that finds no defects here.
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
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
  {
    files: ['**/*.cjs', 'scripts/setup/default-app/**'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },

  // ---- The law of each folder --------------------------------------------------------------------------------------
  { rules: laws.everywhere },
  { files: ['src/**'], rules: laws.source },
  { files: ['src/shared/**'], rules: laws.shared },
  { files: ['src/main/core/**'], rules: laws.core },
  { files: ['src/main/adapters/**'], rules: laws.adapters },
  { files: ['src/main/ipc/**'], rules: laws.ipc },
  { files: ['src/main/shell/**'], rules: laws.shell },
  { files: ['src/preload/**'], rules: laws.preload },
  { files: ['src/renderer/**'], rules: { ...laws.renderer, 'house/drawn-text': 'error' } },
  { files: ['src/renderer/src/ui/**'], rules: laws.ui },
  { files: ['src/renderer/src/bridge.ts'], rules: laws.bridge },
  { files: ['sample-service/**'], rules: laws.sampleService },
  { files: ['scripts/run.mjs', 'scripts/setup/*.mjs'], rules: laws.setUp },
  {
    // Tests may use everything, and feed wrong values on purpose; what they claim is checked by running them.
    files: tests,
    rules: {
      ...laws.tests,
      'house/reasoned-cast': 'off',
      'house/drawn-text': 'off',
    },
  },
);
