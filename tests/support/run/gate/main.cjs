/**
 * `npm test`: runs jest with the arguments given, then each file that failed once more, alone. A file that passes then is
 * unsteady: its failures are printed, and it counts as passed. One that fails twice fails. `GATE_SECONDS` is the time
 * that the run may take; files that it did not reach are printed and count as skipped. The last line is
 * `N passed, M failed`, and `, K skipped` if there are any.
 */
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, relative } = require('node:path');
const { jest, runJest } = require('./jest-run.cjs');
const { verdictOf } = require('./verdict.cjs');

/** More files than this do not fail by chance, and are not run again. */
const MOST_RUN_AGAIN = 8;
/** The part of the time that is left for running files again. */
const RESERVED = 0.1;
const DEFAULT_SECONDS = 75 * 60;

const end = Date.now() + Number(process.env.GATE_SECONDS ?? DEFAULT_SECONDS) * 1_000;
const millisecondsLeft = () => Math.max(0, end - Date.now());

/** The files that jest selects by these arguments. */
function selectedFiles(args) {
  const list = execFileSync(process.execPath, [jest, ...args, '--listTests'], { encoding: 'utf8' });
  return list.split('\n').filter(Boolean);
}

/** `--config` with its value, without the arguments that select files. */
const configOf = (args) =>
  args.flatMap((arg, i) =>
    arg === '--config' ? [arg, args[i + 1]] : arg.startsWith('--config=') ? [arg] : [],
  );

/** The results of a second run of each file that failed, by path; none if too many failed. */
async function runAgain({ files }, folder, config) {
  const failed = [...files.values()].filter(({ failures = [] }) => failures.length > 0);
  const again = new Map();
  if (failed.length > MOST_RUN_AGAIN) return again;
  for (const [i, { file }] of failed.entries()) {
    const args = [...config, '--runInBand', '--runTestsByPath', file];
    const second = await runJest(join(folder, `again-${i}`), args, millisecondsLeft());
    if (second.files.has(file) && second.crash === undefined) again.set(file, second.files.get(file));
  }
  return again;
}

async function main(args) {
  const selected = selectedFiles(args);
  const folder = mkdtempSync(join(tmpdir(), 'gate-'));
  try {
    const first = await runJest(join(folder, 'first'), args, millisecondsLeft() * (1 - RESERVED));
    const again = await runAgain(first, folder, configOf(args));
    const nameOf = (file) => relative(process.cwd(), file);
    const { lines, ok } = verdictOf({ selected, first, again, nameOf });
    console.log(lines.join('\n'));
    process.exitCode = ok ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
