const { TestEnvironment } = require('jest-environment-node');

/** The usual environment of tests, which skips what follows a failed test: one is enough to notice a mutation. */
module.exports = class FirstFailureEnvironment extends TestEnvironment {
  hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
  }
};
