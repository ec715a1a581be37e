const { relative } = require('node:path');

/** Says last, and in one plain line, how the run went: `N passed, M failed`, and `, K skipped` if there are any. */
class ClosingLine {
  onRunComplete(_contexts, results) {
    // A file may fail without any of its tests: it could not be run at all, or what is checked after its last test,
    // such as the invariants, does not hold. It is named, and counts as one failure.
    const files = results.testResults
      .filter(({ numFailingTests, failureMessage }) => numFailingTests === 0 && failureMessage)
      .map(({ testFilePath }) => relative(process.cwd(), testFilePath));
    const failed = results.numFailedTests + files.length;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    // Written when the process ends: global teardown and the other reporters speak after this call.
    const named = files.map((file) => `failed outside its tests: ${file}\n`).join('');
    process.once('exit', () => process.stdout.write(`${named}${line}\n`));
  }
}

module.exports = ClosingLine;
