const { testEnvironment, transform } = require('../../jest.config.js');

/** Jest as Stryker runs it over the pure rules: nothing has to be started for them. */
module.exports = {
  testEnvironment,
  transform,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/rules/**/*.test.ts'],
};
