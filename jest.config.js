const { swc } = require('./local/build/swc.cjs');
const { TEST_MS } = require('./tests/support/patience.cjs');
const { allTests, hardTests } = require('./tests/support/run/selection.cjs');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testRunner: '<rootDir>/tests/support/run/shared-modules.cjs',
  testRegex: allTests,
  testPathIgnorePatterns: hardTests,
  testTimeout: TEST_MS,
  maxWorkers: 2,
  // What a test file loads is not all given back when it ends; hundreds of them fill a heap. A worker that has grown
  // past this is replaced between two files.
  workerIdleMemoryLimit: '1.5GB',
  globalSetup: '<rootDir>/tests/support/run/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/run/global-teardown.ts',
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc],
  },
};
