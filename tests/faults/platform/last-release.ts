import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const root = resolve(__dirname, '../../..');
const run = promisify(execFile);

const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
});
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root })).stdout.trim();

/** The last release that has no tag. */
const UNTAGGED = '79acd43';

/** The commit of the last release: FAULTS_RELEASE, else the newest tag `v…`. */
async function lastRelease(): Promise<string> {
  const named = process.env['FAULTS_RELEASE'];
  const tag = named ?? (await git('describe', '--tags', '--match', 'v*', '--abbrev=0').catch(() => UNTAGGED));
  return git('rev-parse', '--verify', `${tag}^{commit}`);
}

/** The programs of the last release, built at their first use into a folder that must lie below node_modules. */
export class LastRelease {
  private built: Promise<string> | undefined;

  constructor(private readonly folder: string) {}

  programs(): Promise<string> {
    return (this.built ??= build(this.folder).then(() => this.folder));
  }

  async remove(): Promise<void> {
    await this.built?.catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Fails if the release has a package in another version than ours, since its programs run with our packages. */
async function build(folder: string): Promise<void> {
  const commit = await lastRelease();
  const source = await mkdtemp(join(root, 'node_modules/.cache/release-'));
  try {
    await run('git', ['archive', '--format=tar', '--output', join(source, 'source.tar'), commit], {
      cwd: root,
    });
    await run('tar', ['-xf', 'source.tar'], { cwd: source });
    const [theirs, ours] = await Promise.all([source, root].map(versionsOf));
    const others = [...theirs!].filter(([path, version]) => ours!.get(path) !== version);
    if (others.length > 0)
      throw new Error(`Commit ${commit} cannot run with our packages: it has ${others.join('; ')}.`);
    await symlink(join(root, 'node_modules'), join(source, 'node_modules'));
    await run('npm', ['run', '--silent', 'build'], { cwd: source });
    await cp(join(source, 'dist'), folder, { recursive: true });
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

/** The version of each package that the programs need, by its path in node_modules. */
async function versionsOf(folder: string): Promise<Map<string, string>> {
  const lock = Lock.parse(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')));
  const needed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  return new Map(needed.map(([path, { version }]) => [path, version ?? '']));
}
