// The types of every script, and its lint: what needs no types, and what only they tell, such as promises that nobody awaits,
// values that nobody has parsed and conditions that are always true. Built on the native compiler: seconds instead of minutes.
// Components are svelte-check's and eslint.config.js's. What each folder forbids stands in scripts/check/folder-laws.mjs.
import { defineConfig } from 'oxlint';
import { lawOfTests, laws, tests } from './scripts/check/folder-laws.mjs';

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./scripts/check/house-rules.mjs'],
  categories: { correctness: 'error' },
  ignorePatterns: ['out/', '/coverage/', '.cache/', '**/*.svelte'],
  rules: {
    'house/reasoned-exemption': 'error',
    'house/file-name': 'error',
    // The compiler says it.
    'no-unused-vars': 'off',
    // Says it of a field that is only read in an assignment to itself.
    'no-unused-private-class-members': 'off',
    // The form of fixtures.
    'no-empty-pattern': 'off',
    // What is sorted without one is text.
    'typescript/require-array-sort-compare': 'off',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    // A file of more than 400 lines wants to be two.
    'max-lines': ['error', { max: 400 }],
    'no-array-constructor': 'error',
    'no-new-func': 'error',
    'no-self-compare': 'error',
    'no-unmodified-loop-condition': 'error',
    'no-useless-constructor': 'error',
    'no-var': 'error',
    'no-warning-comments': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'preserve-caught-error': 'error',
    'typescript/ban-ts-comment': [
      'error',
      { 'ts-expect-error': 'allow-with-description', minimumDescriptionLength: 10 },
    ],
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-extraneous-class': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/unified-signatures': 'error',
  },
  overrides: [
    {
      files: ['**/*.cjs', 'scripts/setup/default-app/**'],
      rules: { 'typescript/no-require-imports': 'off' },
    },
    {
      files: ['**/*.ts'],
      rules: {
        'house/reasoned-cast': 'error',
        'typescript/no-deprecated': 'error',
        'typescript/no-misused-promises': 'error',
        'typescript/no-mixed-enums': 'error',
        'typescript/no-unnecessary-boolean-literal-compare': 'error',
        'typescript/no-unnecessary-condition': [
          'error',
          { allowConstantLoopConditions: 'only-allowed-literals' },
        ],
        'typescript/no-unnecessary-template-expression': 'error',
        'typescript/no-unnecessary-type-arguments': 'error',
        'typescript/no-unnecessary-type-assertion': 'error',
        'typescript/no-unnecessary-type-conversion': 'error',
        'typescript/no-unsafe-argument': 'error',
        'typescript/no-unsafe-assignment': 'error',
        'typescript/no-unsafe-call': 'error',
        'typescript/no-unsafe-member-access': 'error',
        'typescript/no-unsafe-return': 'error',
        'typescript/only-throw-error': 'error',
        'typescript/prefer-promise-reject-errors': 'error',
        'typescript/prefer-reduce-type-parameter': 'error',
        'typescript/prefer-return-this-type': 'error',
        'typescript/related-getter-setter-pairs': 'error',
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        'typescript/use-unknown-in-catch-callback-variable': 'error',
      },
    },
    ...laws.map(([files, rules]) => ({ files, rules })),
    {
      // Tests feed wrong values on purpose; what they claim is checked by running them.
      files: tests,
      rules: {
        ...lawOfTests,
        'no-control-regex': 'off',
        'no-unsafe-optional-chaining': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/unbound-method': 'off',
      },
    },
  ],
});
