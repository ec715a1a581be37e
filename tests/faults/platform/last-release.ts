import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { completeHistory, frozenSince } from '../../replay/frozen.cjs';

const root = resolve(__dirname, '../../..');
const run = promisify(execFile);

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root })).stdout.trim();

/** The commit of that name. Fails if there is none. */
const commitOf = (name: string): Promise<string> =>
  git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => {
    throw new Error(`There is no commit ${name} here.`);
  });

/** The commit of the last release: FAULTS_RELEASE, else the newest tag `v…`, else the commit that froze the histories. */
async function lastRelease(): Promise<string> {
  const named = process.env['FAULTS_RELEASE'];
  if (named) return commitOf(named);
  completeHistory(root);
  const tag = await git('describe', '--tags', '--match', 'v*', '--abbrev=0').catch(() => null);
  const name = tag ?? frozenSince(root);
  if (name === null)
    throw new Error(
      'No commit has frozen the histories yet, and there is no tag v…: name the last release in FAULTS_RELEASE.',
    );
  return commitOf(name);
}

/** The programs of the last release, built at their first use in a work tree of their own. */
export class LastRelease {
  private built: Promise<string> | undefined;

  /** Answers the folder of the compiled programs. */
  async programs(): Promise<string> {
    this.built ??= build();
    return join(await this.built, 'dist');
  }

  async remove(): Promise<void> {
    const folder = await this.built?.catch(() => undefined);
    if (folder !== undefined) await removeTree(folder);
  }
}

/** Builds it with our packages if its lock file is ours, else with its own. Answers the work tree. */
async function build(): Promise<string> {
  const commit = await lastRelease();
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-release-'));
  try {
    await git('worktree', 'add', '--detach', '--quiet', folder, commit);
    const lockIn = (tree: string): Promise<string> => readFile(join(tree, 'package-lock.json'), 'utf8');
    if ((await lockIn(folder)) === (await lockIn(root)))
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    else await run('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: folder });
    await run('npm', ['run', '--silent', 'build'], { cwd: folder });
    return folder;
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await git('worktree', 'prune');
}
