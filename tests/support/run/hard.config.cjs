const quick = require('../../../jest.config.js');
const { HARD_TEST_MS } = require('../patience.cjs');
const { hardTests } = require('./selection.cjs');

/**
 * Selects the tests of `npm run test:hard`.
 * @type {import('jest').Config}
 */
module.exports = {
  ...quick,
  rootDir: '../../..',
  testRegex: hardTests,
  testPathIgnorePatterns: [],
  testTimeout: HARD_TEST_MS,
};
