const eslint = require('@eslint/js');
const tseslint = require('typescript-eslint');
const { EVENTUALLY_MS, TEST_MS } = require('./tests/support/patience.cjs');
const { lists } = require('./tests/architecture/limits/lists.cjs');

const environmentOnlyInConfig = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Read the environment in a config.ts, through its zod schema.',
};

/** A test waits for a state; the limits of tests/support/patience.cjs only end a hang. */
const limitsBelowPatience = [
  {
    of: 'Literal',
    within: 'CallExpression[arguments.length>1][callee.name=/^(test|it|(before|after)(All|Each))$/] >',
  },
  { of: 'Literal', within: 'CallExpression[callee.callee.property.name=/^each$/] >' },
].map(({ within, of }) => ({
  selector: `${within} ${of}[value<${TEST_MS}]`,
  message: `No limit below ${TEST_MS} ms: it would fail on a busy machine.`,
}));
limitsBelowPatience.push({
  selector: `CallExpression[callee.name='eventually'] Property[key.name='withinMs'] > Literal[value<${EVENTUALLY_MS}]`,
  message: `No limit below ${EVENTUALLY_MS} ms: it would fail on a busy machine.`,
});

module.exports = tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.data/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        environmentOnlyInConfig,
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
        { selector: 'ExportAllDeclaration', message: 'Name what is exported.' },
      ],
      'max-lines': ['error', { max: 200, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    // A migration is one text of SQL; cutting it in pieces would not make it shorter to read.
    files: ['db/schema/migrations/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.model.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['**/config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['tests/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...limitsBelowPatience] },
  },
  {
    // `allowInsecureRequests` is called deprecated only to stand out; an issuer without TLS is the operator's choice.
    files: ['api/http/auth/external/providers.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['local/**/*.ts', 'db/schema/migrate.ts', 'db/schema/seed.ts', 'api/print-openapi.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['tests/**/*.ts'],
    rules: {
      // A test is one function; supertest and jest answer with `any`.
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['tests/**/*.test.ts'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    },
  },
  {
    files: lists.map((path) => (path.endsWith('/') ? `${path}**` : path)),
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['**/*.{js,cjs}'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
);
