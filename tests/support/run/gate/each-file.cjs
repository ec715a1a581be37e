const { appendFileSync } = require('node:fs');
const { stripVTControlCharacters } = require('node:util');

/**
 * Writes one JSON line to the file `GATE_RESULTS` when a test file begins and one when it has ended, so that the files of
 * a run that is broken off are known too.
 */
class EachFile {
  onTestFileStart({ path: file }) {
    write({ file, began: Date.now() });
  }

  onTestFileResult(_test, { testFilePath: file, numPassingTests, numPendingTests, numTodoTests, ...result }) {
    const failures = failuresOf(result);
    write({ file, passed: numPassingTests, skipped: numPendingTests + numTodoTests, failures });
  }
}

/** `test: first lines of its failure` of each test that failed, or of the file when it failed outside its tests. */
function failuresOf({ testResults, failureMessage }) {
  const ofTests = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${oneLine(failureMessages[0])}`);
  return ofTests.length === 0 && failureMessage ? [`outside its tests: ${oneLine(failureMessage)}`] : ofTests;
}

const write = (line) => appendFileSync(process.env.GATE_RESULTS, `${JSON.stringify(line)}\n`);

const oneLine = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 4)
    .join(' ');

module.exports = EachFile;
