/** Says last, and in one plain line, how the run went: `N passed, M failed`, and `, K skipped` if there are any. */
class ClosingLine {
  onRunComplete(_contexts, results) {
    // A file that could not be run at all holds tests that nobody counted, so it is a failure by itself.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    // Written when the process ends: global teardown and the other reporters speak after this call.
    process.once('exit', () => process.stdout.write(`${line}\n`));
  }
}

module.exports = ClosingLine;
