const { relative } = require('node:path');

const MOST_NAMED = 20;

const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(6);
/** A file's time before, between and after its tests: loading the code, starting and ending its world. */
const outsideTests = ({ perfStats, testResults }) =>
  Math.max(0, perfStats.runtime - testResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0));

/** Writes the slowest files with their seconds, and the sums over all files; nothing for a run of one file. */
class SlowestFiles {
  onRunComplete(_contexts, { testResults }) {
    const files = testResults.filter(({ testExecError }) => testExecError === undefined);
    if (files.length < 2) return;
    const lines = [...files]
      .sort((a, b) => b.perfStats.runtime - a.perfStats.runtime)
      .slice(0, MOST_NAMED)
      .map((file) =>
        line(file.perfStats.runtime, outsideTests(file), relative(process.cwd(), file.testFilePath)),
      );
    const sum = (timeOf) => files.reduce((total, file) => total + timeOf(file), 0);
    const all = line(
      sum(({ perfStats }) => perfStats.runtime),
      sum(outsideTests),
      `all ${files.length} files`,
    );
    const title = 'Seconds, and those outside the tests, of the slowest files:';
    // Written when the process ends: global teardown and the other reporters write after this call.
    process.once('exit', () => process.stdout.write(`${[title, ...lines, all].join('\n')}\n`));
  }
}

const line = (runtime, outside, name) => `${seconds(runtime)} ${seconds(outside)}  ${name}`;

module.exports = SlowestFiles;
