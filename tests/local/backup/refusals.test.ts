import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestText, readManifest, type Contents } from '../../../local/backup/manifest';
import { identify } from '../../../local/processes/identity';
import { make } from '../../support/builders/make';
import { applicant } from '../../api/users/kyc/applicant';
import { Machine, type LaunchedWorld, type Outcome } from '../../support/worlds/launched-world';
import { testKeys } from '../../support/worlds/variables';
import type { World } from '../../support/worlds/world';
import { useScratch } from '../scratch';

const BACKUP = 'local/backup/backup.js';
const RESTORE = 'local/backup/restore.js';
/** A write beyond these blocks of 512 bytes fails, as on a full disk. */
const FULL_DISK = `trap '' XFSZ; ulimit -f 2000; exec "$@"`;

const scratch = useScratch();
const dirOf = (name: string) => path.join(scratch(), name);

let origin: Machine;
let target: Machine;
let backup: string;
/** Made of a platform with one document, while it is stopped. */
beforeAll(async () => {
  [origin, target] = [await Machine.at(dirOf('origin')), await Machine.at(dirOf('target'))];
  const world: LaunchedWorld = await origin.start();
  try {
    const me = await applicant({ db: world.db, http: world.http } as unknown as World);
    await me.start();
    expect((await me.upload('PASSPORT')).status).toBe(201);
    await make.product(world.db);
  } finally {
    await world.stop();
  }
  backup = dirOf('backup');
  const made = await origin.command(BACKUP, [backup]);
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('the platform does not run') });
});

/** A copy of the backup, changed. */
async function changed(name: string, change: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = dirOf(name);
  await cp(backup, folder, { recursive: true });
  await change(folder);
  return folder;
}

const flipped = async (file: string) => {
  const bytes = await readFile(file);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(file, bytes);
};

/** The file of a document in a folder of blobs. */
async function documentIn(folder: string): Promise<string> {
  const files = await readdir(path.join(folder, 'blobs'), { recursive: true });
  return path.join(
    folder,
    'blobs',
    files.find((file) => path.basename(file).length === 64)!,
  );
}

/** The contents changed, signed by somebody who has the keys. */
const signed = async (folder: string, change: Partial<Contents>) => {
  const { format: _format, ...contents } = await readManifest(folder, testKeys);
  await writeFile(path.join(folder, 'manifest.json'), manifestText({ ...contents, ...change }, testKeys));
};

/** Refused with this text, and nothing was written. */
function expectRefused(outcome: Outcome, text: string): void {
  expect(outcome).toMatchObject({ code: 1, output: expect.stringContaining(text) });
  expect(existsSync(target.dataDir)).toBe(false);
}

describe('a restore refuses, before it writes anything,', () => {
  it.each<[string, string, (folder: string) => Promise<unknown>]>([
    ['half a backup', 'is no whole backup', (folder) => rm(path.join(folder, 'manifest.json'))],
    [
      'one without a file of the log',
      'is missing',
      (folder) => rm(path.join(folder, 'wal'), { recursive: true }),
    ],
    ['one without a document', 'is missing', async (folder) => rm(await documentIn(folder))],
    ['one that was cut off', 'is damaged', (folder) => truncate(path.join(folder, 'postgres.tar.gz'), 4_000)],
    ['a changed database', 'was changed', (folder) => flipped(path.join(folder, 'postgres.tar.gz'))],
    ['changed processes', 'was changed', (folder) => flipped(path.join(folder, 'temporal/temporal.db.gz'))],
    ['a changed document', 'was changed', async (folder) => flipped(await documentIn(folder))],
    [
      'a manifest that fits the change, by somebody without the keys',
      'manifest.json was changed',
      async (folder) => {
        const file = path.join(folder, 'manifest.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace(/"bytes": \d+/, '"bytes": 1'));
      },
    ],
    [
      'a manifest that is none',
      'manifest.json is damaged',
      (folder) => writeFile(path.join(folder, 'manifest.json'), '{}'),
    ],
    [
      'a backup of a newer release',
      'of a newer release: this one does not know its migration 9999-later',
      (folder) => signed(folder, { migration: '9999-later' }),
    ],
    [
      'files of another PostgreSQL',
      'has the files of PostgreSQL 99.1',
      (folder) =>
        signed(folder, { postgres: { version: '99.1', machine: `${process.platform}-${process.arch}` } }),
    ],
    [
      'files of another kind of machine',
      'was made on plan9-vax',
      (folder) => signed(folder, { postgres: { version: '18.4', machine: 'plan9-vax' } }),
    ],
    [
      'processes of a newer Temporal',
      'was made with Temporal 99.0.0',
      (folder) => signed(folder, { temporal: { version: '99.0.0' } }),
    ],
  ])('%s', async (name, text, change) => {
    expectRefused(await target.command(RESTORE, [await changed(name.replaceAll(' ', '-'), change)]), text);
  });

  it('what is no backup', async () => {
    expectRefused(await target.command(RESTORE, [dirOf('nothing')]), 'is no whole backup');
  });

  it('other keys than those of the backup, and says which it needs', async () => {
    const other = `other:${Buffer.alloc(32, 3).toString('base64')}`;
    expectRefused(
      await target.command(RESTORE, [backup], { SEALING_KEYS: other }),
      'the key test is missing',
    );
    const twin = `test:${Buffer.alloc(32, 3).toString('base64')}`;
    expectRefused(
      await target.command(RESTORE, [backup], { SEALING_KEYS: twin }),
      'the key test is another one of the same name',
    );
    expectRefused(await target.command(RESTORE, [backup], { SEALING_KEYS: '' }), 'Give the secrets.json');
    expectRefused(await target.command(RESTORE, ['--secrets=/nowhere', backup]), '/nowhere is not there');
  });

  it('a data directory that holds something', async () => {
    const refused = await origin.command(RESTORE, [backup]);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('a restore overwrites nothing. Set DATA_DIR to a new folder'),
    });
    // `npm run reset` without it would erase the platform of the usual folder.
    expect(refused.output).toContain(`\`DATA_DIR=${origin.dataDir} npm run reset\``);
    const blobs = path.join(origin.dataDir, 'blobs');
    expectRefused(await target.command(RESTORE, [backup], { BLOB_DIR: blobs }), 'Unset BLOB_DIR');
  });

  it.each([
    ['DATABASE_URL', 'postgres://app:x@127.0.0.1:1/marketplace'],
    ['TEMPORAL_ADDRESS', '127.0.0.1:1'],
  ])('a shell in which %s names the server of another platform', async (name, value) => {
    expectRefused(await target.command(RESTORE, [backup], { [name]: value }), `${name} is set`);
  });
});

describe('nothing is left', () => {
  // The limit of a file's size holds for a server, too, that the backup would have to start itself.
  let world: LaunchedWorld;
  beforeAll(async () => {
    world = await origin.start();
  });
  afterAll(() => world.stop());

  it('of a backup that finds the disk full', async () => {
    const folder = dirOf('too-large');
    const outcome = await origin.commandIn(FULL_DISK, BACKUP, [folder]);
    expect(outcome).toMatchObject({ code: 1, output: expect.stringMatching(/EFBIG|file too large/i) });
    expect((await readdir(scratch())).filter((name) => name.startsWith('too-large'))).toEqual([]);
    expect(existsSync(path.join(origin.dataDir, 'backup-staging'))).toBe(false);
  });

  it('of a restore that finds the disk full', async () => {
    const outcome = await target.commandIn(FULL_DISK, RESTORE, [backup]);
    expect(outcome.code).toBe(1);
    expect(existsSync(target.dataDir)).toBe(false);
  });

  it('of a backup that is stopped', async () => {
    const folder = dirOf('stopped');
    const script = `"$@" & until [ -e ${folder}.unfinished ]; do :; done; kill -TERM $!; wait $!`;
    const outcome = await origin.commandIn(script, BACKUP, [folder]);
    expect(outcome).toMatchObject({ code: 1, output: expect.stringContaining('no backup was made') });
    expect((await readdir(scratch())).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });
});

describe('a backup', () => {
  it('overwrites nothing: neither another one, nor one that is being made', async () => {
    const again = await origin.command(BACKUP, [backup]);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is not overwritten') });
    const folder = dirOf('begun');
    await mkdir(`${folder}.unfinished`);
    const beside = await origin.command(BACKUP, [folder]);
    expect(beside).toMatchObject({ code: 1, output: expect.stringContaining('is not overwritten') });
    expect(await readdir(`${folder}.unfinished`)).toEqual([]);
  });

  it('has no key, and nothing that opens without one', async () => {
    const secret = Buffer.alloc(32, 8).toString('base64');
    for (const entry of await readdir(backup, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.gz'))
        expect(await readFile(path.join(entry.parentPath, entry.name), 'latin1')).not.toContain(secret);
    expect(await readdir(backup)).not.toContain('secrets.json');
  });

  it('is not made while Temporal goes on of a platform that was killed, and says what to do', async () => {
    const childrenFile = path.join(origin.dataDir, 'children.json');
    const left = spawn('sleep', ['600'], { stdio: 'ignore' });
    try {
      const process = await identify(left.pid!);
      await writeFile(childrenFile, JSON.stringify([{ name: 'Temporal', process }]));
      const refused = await origin.command(BACKUP, [dirOf('x')]);
      expect(refused).toMatchObject({
        code: 1,
        output: expect.stringMatching(new RegExp(`Temporal \\(process ${left.pid}\\).*npm start`)),
      });
    } finally {
      left.kill();
      await rm(childrenFile);
    }
    expect(existsSync(dirOf('x'))).toBe(false);
  });

  it('is not made of servers that run elsewhere, and of nothing', async () => {
    const elsewhere = await origin.command(BACKUP, [dirOf('x')], {
      DATABASE_URL: 'postgres://a:b@127.0.0.1:9/c',
    });
    expect(elsewhere).toMatchObject({
      code: 1,
      output: expect.stringContaining('back those up where they run'),
    });
    const nothing = await target.command(BACKUP, [dirOf('x')]);
    expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining('nothing to back up') });
  });
});

it('half of a restore is not started, and is erased by `npm run reset`', async () => {
  expect((await target.command(RESTORE, [backup])).code).toBe(0);
  await writeFile(path.join(target.dataDir, 'restore-unfinished'), '');
  const started = await target.command('local/main.js');
  expect(started).toMatchObject({ code: 1, output: expect.stringContaining('holds half of a restore') });
  expect(started.output).toContain(`\`DATA_DIR=${target.dataDir} npm run reset\``);
  expect((await target.command('local/reset.js')).code).toBe(0);
  expect(existsSync(target.dataDir)).toBe(false);
});
