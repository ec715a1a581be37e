/**
 * Recorded histories are only added: what they show may still be running when a release starts. The file
 * frozen.sha256 has the digest of each, one line as sha256sum writes it, and only gains lines.
 * `node tests/replay/frozen.cjs` compares it with all its earlier versions in git; CI runs this.
 * While the freeze is open, because nothing was released yet, nothing is compared and histories may be recorded anew.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const LIST = 'frozen.sha256';
/** True until the first release: then a new list begins, under a new name. */
const OPEN = true;

const digestOf = (content) => createHash('sha256').update(content).digest('hex');

/** The lines of the list: path in `folder` → digest. A path that is listed twice is an error. */
function frozenHistories(folder = __dirname) {
  const frozen = new Map();
  for (const line of readFileSync(join(folder, LIST), 'utf8').split('\n').filter(Boolean)) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    if (path === undefined || frozen.has(path)) throw new Error(`${LIST} is damaged: ${line}`);
    frozen.set(path, digest);
  }
  return frozen;
}

/** Writes the line of the history at this path in `folder`; one that was recorded anew takes the place of its old line. */
function freeze(path, folder = __dirname) {
  const list = join(folder, LIST);
  const line = `${digestOf(readFileSync(join(folder, path)))}  ${path}`;
  const lines = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  const at = lines.findIndex((old) => old.endsWith(`  ${path}`));
  lines.splice(at < 0 ? lines.length : at, 1, line);
  writeFileSync(list, `${lines.join('\n')}\n`);
}

/**
 * Lines that were removed from the list on the branch checked out in `repository`: by a commit of that branch, or by any
 * merge, which is compared with each of its parents, so that a line dropped in resolving a conflict is found.
 */
function linesRemoved(repository, list) {
  const patches = [
    ['--first-parent', '-m'],
    ['--merges', '--full-history', '-m'],
  ].map((commits) =>
    execFileSync('git', ['log', ...commits, '-p', '--format=', '--', list], {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    }),
  );
  const removed = patches.flatMap((patch) =>
    patch.split('\n').filter((line) => /^-[0-9a-f]{64} /.test(line)),
  );
  return [...new Set(removed)];
}

/** Without all earlier versions, a change could not be seen: a shallow clone is completed, or refused. */
function completeHistory(repository) {
  const git = (...args) =>
    execFileSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const isShallow = () => git('rev-parse', '--is-shallow-repository') === 'true';
  if (!isShallow()) return;
  let cause;
  try {
    git('fetch', '--quiet', '--unshallow');
  } catch (error) {
    cause = error;
  }
  if (isShallow())
    throw new Error('This clone is shallow, and could not be completed: `git fetch --unshallow`.', { cause });
}

/** The commit that brought the list to the branch checked out in `repository`, whose history is complete; null if none has. */
function frozenSince(repository, list = join(__dirname, LIST)) {
  const args = ['log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '--max-count=1', '--', list];
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim() || null;
}

function main() {
  if (OPEN) {
    console.log(
      'The freeze of recorded histories is open: the list is not compared with its earlier versions.',
    );
    return;
  }
  if (!existsSync(join(__dirname, '../../.git'))) {
    console.log('There is no history of git here, so the list is not compared with its earlier versions.');
    return;
  }
  completeHistory(__dirname);
  const removed = linesRemoved(__dirname, LIST);
  for (const line of removed) console.error(`Changed or deleted after it was recorded: ${line.slice(67)}`);
  process.exitCode = removed.length > 0 ? 1 : 0;
}

if (require.main === module) main();

module.exports = { OPEN, completeHistory, digestOf, freeze, frozenHistories, frozenSince, linesRemoved };
