const { allTests, hardTests } = require('./tests/support/run/selection.cjs');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testRegex: allTests,
  testPathIgnorePatterns: hardTests,
  testTimeout: 60_000,
  maxWorkers: 2,
  // What a test file loads is not all given back when it ends; hundreds of them fill a heap. A worker that has grown
  // past this is replaced between two files.
  workerIdleMemoryLimit: '1.5GB',
  globalSetup: '<rootDir>/tests/support/run/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/run/global-teardown.ts',
  reporters: ['default', '<rootDir>/tests/support/run/closing-line.cjs'],
  // `npm run examples` keeps the answers that tests are given.
  setupFiles: process.env.RECORD_EXAMPLES ? ['<rootDir>/tests/api/docs/examples/record-refusals.cjs'] : [],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'commonjs' },
      },
    ],
    // ESM-only packages, which jest's own module system cannot require.
    'node_modules/(uuid|jose|file-type|strtok3|token-types|uint8array-extras|@tokenizer/inflate|@borewit/text-codec|openid-client|oauth4webapi)/.+\\.js$':
      ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(uuid|jose|file-type|strtok3|token-types|uint8array-extras|@tokenizer/inflate|@borewit/text-codec|openid-client|oauth4webapi)/)',
  ],
};
