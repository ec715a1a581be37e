/** A run that its time broke off passes only if at least this part of the files was run. */
const ENOUGH = 0.9;
/** A file that was still running so long after it began hangs; one that began later was merely not reached. */
const HANGS_AFTER_MS = 15 * 60_000;

/**
 * The closing lines of a run, and whether it passes. `selected`: the paths of all files; `first`: what `runJest` returned;
 * `again`: by path, what became of the files that were run again; `nameOf` shortens a path.
 */
function verdictOf({ selected, first, again, nameOf, now = Date.now() }) {
  const reached = selected.filter((file) => hasEnded(first.files.get(file)));
  const missing = selected.filter((file) => !hasEnded(first.files.get(file)));
  const hangs = (file) => now - (first.files.get(file)?.began ?? now) >= HANGS_AFTER_MS;
  // Files are left out for lack of time only; a jest that ended by itself should have run them.
  const notReached = missing.filter((file) => first.isBrokenOff && !hangs(file));
  const lost = missing.filter((file) => !notReached.includes(file));
  const isUnsteady = (file) => first.files.get(file).failures.length > 0 && hasPassed(again.get(file));
  const last = reached.map((file) => (hasEnded(again.get(file)) ? again.get(file) : first.files.get(file)));

  const lineOf = (word, file) => (why) => `${word}: ${nameOf(file)} › ${why}`;
  const unsteady = reached
    .filter(isUnsteady)
    .flatMap((file) => first.files.get(file).failures.map(lineOf('unsteady', file)));
  const failed = [
    ...last.flatMap(({ file, failures }) => failures.map(lineOf('failed', file))),
    ...lost.map((file) => lineOf('failed', file)(first.isBrokenOff ? 'it did not end' : 'it was not run')),
    ...(first.crash === undefined ? [] : [`failed: ${first.crash}`]),
    ...(selected.length > 0 && selected.length - notReached.length >= selected.length * ENOUGH
      ? []
      : [`failed: ${reached.length} of ${selected.length} files were run`]),
  ];
  const sum = (of) => last.reduce((total, file) => total + of(file), 0);
  const skipped = sum((file) => file.skipped) + notReached.length;
  const counts = `${sum((file) => file.passed)} passed, ${failed.length} failed`;
  return {
    lines: [
      ...notReached.map((file) => `not reached: ${nameOf(file)}`),
      ...unsteady,
      ...failed,
      skipped > 0 ? `${counts}, ${skipped} skipped` : counts,
    ],
    ok: failed.length === 0,
  };
}

const hasEnded = (file) => file?.failures !== undefined;
const hasPassed = (file) => file?.failures?.length === 0;

module.exports = { verdictOf };
