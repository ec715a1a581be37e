const { relative } = require('node:path');

const MOST_NAMED = 20;

const nameOf = ({ testFilePath }) => relative(process.cwd(), testFilePath);
const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(6);
/** A file's time before, between and after its tests: loading the code, starting and ending its world. */
const outsideTests = ({ perfStats, testResults }) =>
  Math.max(0, perfStats.runtime - testResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0));

/** The slowest files with their seconds, and the sums over all files; empty for a run of one file. */
function timesOf(files) {
  if (files.length < 2) return '';
  const lines = [...files]
    .sort((a, b) => b.perfStats.runtime - a.perfStats.runtime)
    .slice(0, MOST_NAMED)
    .map((file) => `${seconds(file.perfStats.runtime)} ${seconds(outsideTests(file))}  ${nameOf(file)}`);
  const sum = (timeOf) => seconds(files.reduce((total, file) => total + timeOf(file), 0));
  const all = `${sum(({ perfStats }) => perfStats.runtime)} ${sum(outsideTests)}  all ${files.length} files`;
  return ['Seconds, and those outside the tests, of the slowest files:', ...lines, all, ''].join('\n');
}

/**
 * Writes the slowest files and, as the last line, the result: `N passed, M failed`, and `, K skipped` if there are any.
 */
class ClosingLine {
  onRunComplete(_contexts, results) {
    // A file may fail without any of its tests: it could not be run at all, or a check after its last test fails,
    // such as that of the invariants. It is named, and counts as one failure.
    const failedFiles = results.testResults.filter(
      ({ numFailingTests, failureMessage }) => numFailingTests === 0 && failureMessage,
    );
    const failed = results.numFailedTests + failedFiles.length;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    const times = timesOf(results.testResults.filter(({ testExecError }) => testExecError === undefined));
    const named = failedFiles.map((file) => `failed outside its tests: ${nameOf(file)}\n`).join('');
    // Written when the process ends: global teardown and the other reporters write after this call.
    process.once('exit', () => process.stdout.write(`${times}${named}${line}\n`));
  }
}

module.exports = ClosingLine;
