/**
 * Recorded histories and migrations are only added: what a history shows may still be running when a release starts, and a
 * database has run a migration as it was then. The list of each kind has the digests of its files, one line as sha256sum
 * writes it, and only gains lines. `node tests/replay/frozen.cjs add` adds those of new files;
 * `node tests/replay/frozen.cjs` compares the lists with all their earlier versions in git; CI runs this.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');

const histories = {
  list: join(__dirname, 'frozen-histories.sha256'),
  folder: __dirname,
  extension: '.json',
  instead: 'record another under a new name',
};
const migrations = {
  list: join(__dirname, 'frozen-migrations.sha256'),
  folder: join(root, 'db/schema/migrations'),
  extension: '.ts',
  instead: 'add a new migration',
};

const digestOf = (content) => createHash('sha256').update(content).digest('hex');

/** The lines of a list: path in its folder → digest; none if there is no list yet. A path that is listed twice is an error. */
function frozenIn({ list }) {
  const frozen = new Map();
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  for (const line of lines) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    if (path === undefined || frozen.has(path)) throw new Error(`${list} is damaged: ${line}`);
    frozen.set(path, digest);
  }
  return frozen;
}

/** The files as they are: path in the folder → digest. */
function presentIn({ folder, extension }) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(extension));
  return new Map(paths.map((path) => [path, digestOf(readFileSync(join(folder, path)))]));
}

/** The differences of the files of a kind from its list: a line for each, with what to do. */
function differences(kind) {
  const [frozen, present] = [frozenIn(kind), presentIn(kind)];
  return [...new Set([...frozen.keys(), ...present.keys()])].sort().flatMap((path) => {
    if (!frozen.has(path)) return [`${path} is in no list: node tests/replay/frozen.cjs add`];
    if (frozen.get(path) === present.get(path)) return [];
    return [`${path} was ${present.has(path) ? 'changed' : 'deleted'}: restore it, and ${kind.instead}`];
  });
}

/** Adds the lines of the files that have none; answers their paths. */
function freeze(kind) {
  const [frozen, present] = [frozenIn(kind), presentIn(kind)];
  const lines = new Map([...present, ...frozen]);
  const text = [...lines.keys()].sort().map((path) => `${lines.get(path)}  ${path}\n`);
  writeFileSync(kind.list, text.join(''));
  return [...present.keys()].filter((path) => !frozen.has(path));
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
function frozenSince(repository, list = histories.list) {
  const args = ['log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '--max-count=1', '--', list];
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim() || null;
}

function compareWithGit() {
  if (!existsSync(join(root, '.git'))) {
    console.log(
      'There is no history of git here, so the lists are not compared with their earlier versions.',
    );
    return;
  }
  completeHistory(root);
  const removed = [histories, migrations].flatMap(({ list }) => linesRemoved(root, list));
  for (const line of removed) console.error(`Changed or deleted after it was frozen: ${line.slice(67)}`);
  process.exitCode = removed.length > 0 ? 1 : 0;
}

if (require.main === module) {
  if (process.argv[2] === 'add')
    for (const path of [histories, migrations].flatMap(freeze)) console.log(`Frozen: ${path}`);
  else compareWithGit();
}

module.exports = {
  completeHistory,
  differences,
  digestOf,
  freeze,
  frozenSince,
  histories,
  linesRemoved,
  migrations,
};
