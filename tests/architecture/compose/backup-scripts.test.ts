import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { useScratch } from '../../local/scratch';
import { compose, ours, read, service } from './compose';

const run = promisify(execFile);
const scratch = useScratch();

/** The scripts of the runbook for many machines. */
const [backup = '', restore = ''] = [
  ...(read('workers/OPERATING.md').split('## Back up and restore')[1] ?? '').matchAll(
    /```sh\n(set -eu\n[^`]*)```/g,
  ),
].map(([, script]) => script);

/** Our programs that run on, each of which may write. */
const writers = ours.filter((name) => service(name).restart === 'unless-stopped');

/** The databases of each server: ours by its role's script, those of Temporal by the job that prepares them. */
const DATABASES: Readonly<Record<string, readonly string[]>> = {
  db: [...compose.configs['db-role']!.content.matchAll(/CREATE DATABASE (\w+)/g)].map(([, name]) => name!),
  'temporal-db': [
    ...service('temporal-schema')
      .command!.join('\n')
      .matchAll(/database=(\w+)/g),
  ].map(([, name]) => name!),
};

/** Stands in for Docker: it notes each call, answers a dump with its words, and fails at the call that has `fails` in it. */
const docker = (fails: string): string => `#!/bin/sh
echo "$*" >> calls
case "$*" in *'${fails}'*) exit 1;; esac
case "$*" in *pg_dump*|*' -c .') echo "$*";; esac
`;

/** Runs a script in the scratch folder; answers its exit code and what it called. */
async function runs(script: string, args: string[] = [], fails = 'nothing of the kind') {
  const bin = path.join(scratch(), 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'docker'), docker(fails));
  await chmod(path.join(bin, 'docker'), 0o755);
  await rm(path.join(scratch(), 'calls'), { force: true });
  await writeFile(path.join(scratch(), 'script.sh'), script);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const code = await run('sh', ['script.sh', ...args], { cwd: scratch(), env }).then(
    () => 0,
    (error: unknown) => (error as { code: number }).code,
  );
  const calls = await readFile(path.join(scratch(), 'calls'), 'utf8').catch(() => '');
  return { code, calls: calls.split('\n').filter((line) => line !== '') };
}

const folders = async (): Promise<string[]> =>
  (await readdir(scratch())).filter((name) => name.startsWith('backup')).sort();

/** The places of the calls with these words. */
const placesOf = (calls: readonly string[], words: string): number[] =>
  calls.flatMap((call, place) => (call.includes(words) ? [place] : []));

/** A backup that was made by the script; answers its folder. */
async function backedUp(): Promise<string> {
  expect((await runs(backup)).code).toBe(0);
  const [folder = ''] = await folders();
  return folder;
}

beforeEach(async () => {
  for (const name of await folders()) await rm(path.join(scratch(), name), { recursive: true });
});

test('both are scripts that a shell reads', async () => {
  for (const script of [backup, restore]) {
    expect(script.split('\n').length).toBeGreaterThan(10);
    await writeFile(path.join(scratch(), 'read.sh'), script);
    await run('sh', ['-n', path.join(scratch(), 'read.sh')]);
  }
});

test('the databases of compose are known', () => {
  expect(DATABASES).toEqual({ db: ['marketplace'], 'temporal-db': ['temporal', 'temporal_visibility'] });
});

test.each([
  ['backup', () => runs(backup)],
  ['restore', async () => runs(restore, [await backedUp()])],
] as const)('every service, user and database that a %s names is in compose', async (_, script) => {
  const { code, calls } = await script();
  expect(code).toBe(0);
  const named = new Set<string>();
  for (const call of calls) {
    const [, verb = '', ...words] = call.split(' ');
    const plain = words.filter((word) => !word.startsWith('-'));
    const services = ['exec', 'run'].includes(verb) ? plain.slice(0, 1) : plain;
    for (const name of services) service(name);
    const [server = ''] = services;
    const user = / -U (\w+)/.exec(call)?.[1];
    if (user === undefined) continue;
    expect([call, user]).toEqual([call, service(server).environment['POSTGRES_USER'] ?? 'postgres']);
    const database = / -d (\w+)/.exec(call)?.[1] ?? words.at(-1)!;
    expect(DATABASES[server]).toContain(database);
    named.add(`${server} ${database}`);
  }
  const all = Object.entries(DATABASES).flatMap(([server, names]) =>
    names.map((name) => `${server} ${name}`),
  );
  expect([...named].sort()).toEqual(all.sort());
  const mount = service('worker-background').volumes.find((volume) => volume.startsWith('blobs:'));
  expect(placesOf(calls, `-C ${mount?.split(':')[1]} `)).toHaveLength(1);
});

test('a backup stops all that writes, copies Temporal before the platform, and starts it again', async () => {
  const { code, calls } = await runs(backup);
  expect(code).toBe(0);
  expect(calls[0]).toBe(`compose stop ${writers.join(' ')}`);
  expect(calls.at(-1)).toBe(`compose start ${writers.join(' ')}`);
  const dumps = placesOf(calls, 'pg_dump');
  expect(dumps.map((place) => calls[place]!.split(' ').at(-1))).toEqual([
    'temporal',
    'temporal_visibility',
    'marketplace',
  ]);
  const [folder = '', ...more] = await folders();
  expect([folder, more]).toEqual([expect.stringMatching(/^backup-\d{4}-\d\d-\d\dT[\d:]+Z$/), []]);
  expect((await readdir(path.join(scratch(), folder))).sort()).toEqual([
    ...['SHA256SUMS', 'blobs.tar', 'copied-at', 'marketplace.dump', 'temporal.dump'],
    'temporal_visibility.dump',
  ]);
});

test('a backup that fails starts the platform again, and is none', async () => {
  const { code, calls } = await runs(backup, [], 'pg_dump -U postgres');
  expect([code, calls.at(-1)]).toEqual([1, `compose start ${writers.join(' ')}`]);
  expect(await folders()).toEqual(['backup.unfinished']);
});

test('a restore makes every database anew with nothing else running, and last it holds money since that time', async () => {
  const folder = await backedUp();
  const { code, calls } = await runs(restore, [folder]);
  expect(code).toBe(0);
  expect(calls.slice(0, 2)).toEqual(['compose down', 'compose up -d --wait db temporal-db']);
  for (const name of Object.values(DATABASES).flat()) {
    const steps = ['dropdb', 'createdb', 'pg_restore'].map((step) =>
      calls.findIndex((call) => call.includes(step) && call.endsWith(` ${name}`)),
    );
    expect([name, steps[0]]).not.toEqual([name, -1]);
    expect(steps).toEqual([steps[0], steps[0]! + 1, steps[0]! + 2]);
  }
  const copiedAt = (await readFile(path.join(scratch(), folder, 'copied-at'), 'utf8')).trim();
  const begin = calls.at(-1)!;
  expect(begin).toMatch(
    new RegExp(
      `^compose run --rm .* migrate node dist/db/administration/restore/restored.js begin ${copiedAt}$`,
    ),
  );
  expect(placesOf(calls, 'restored.js')).toEqual([calls.length - 1]);
});

test.each([
  ['changed', (file: string) => writeFile(file, 'another')],
  ['missing', (file: string) => rm(file)],
])('a backup of which a file is %s is not restored: nothing is dropped', async (_, damage) => {
  const folder = await backedUp();
  await damage(path.join(scratch(), folder, 'marketplace.dump'));
  const { code, calls } = await runs(restore, [folder]);
  expect(code).not.toBe(0);
  expect(calls).toEqual([]);
});

test('a restore that fails stops there', async () => {
  const { code, calls } = await runs(restore, [await backedUp()], 'pg_restore');
  expect(code).not.toBe(0);
  expect(placesOf(calls, 'restored.js')).toEqual([]);
});
