const quick = require('../../../jest.config.js');
const { hardTests } = require('./selection.cjs');

/**
 * What `npm run test:hard` runs.
 * @type {import('jest').Config}
 */
module.exports = { ...quick, rootDir: '../../..', testRegex: hardTests, testPathIgnorePatterns: [] };
