import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { KeyRing } from '../../db/sealing/key-ring';
import { codeOf } from '../failure';

export const MANIFEST = 'manifest.json';

/** The files of a backup besides its manifest and the blobs. */
export const PARTS = {
  cluster: 'postgres.tar.gz',
  blobList: 'blobs.sha256',
  walDir: 'wal',
  blobDir: 'blobs',
  temporalDir: 'temporal',
} as const;

const FORMAT = 1;
/** The purposes of codes; a code for one of them is worth nothing for another. */
const MANIFEST_PURPOSE = 'backup-manifest';
const KEY_PURPOSE = 'backup-key';

const StoredFile = z.strictObject({
  /** Below the backup's folder; of a form that cannot leave it. */
  name: z.string().regex(/^(?:(?:wal|temporal)\/)?[\w-][\w.-]*$/),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type StoredFile = z.output<typeof StoredFile>;

const Contents = z.strictObject({
  format: z.literal(FORMAT),
  /** The time at which the databases were as the backup has them. */
  madeAt: z.iso.datetime(),
  /** The newest migration of the database, which tells the release. */
  migration: z.string(),
  /** PostgreSQL's files suit one major version on one kind of machine. */
  postgres: z.strictObject({ version: z.string(), machine: z.string() }),
  temporal: z.strictObject({ version: z.string() }),
  blobs: z.strictObject({ count: z.int().nonnegative(), bytes: z.int().nonnegative() }),
  /** The names of all sealing keys of that day, each with a code of it that another key of the same name lacks. */
  keys: z.array(z.strictObject({ id: z.string(), check: z.string() })).min(1),
  files: z.array(StoredFile).min(1),
});
export type Contents = z.output<typeof Contents>;

const Manifest = z.strictObject({
  contents: Contents,
  /** Of the contents, under the first sealing key: nobody without it can change a backup unnoticed. */
  code: z.strictObject({ keyId: z.string(), mac: z.string() }),
});

/** A backup that must not be restored; the message says why, for the operator. */
export class UnusableBackup extends Error {
  override readonly name = 'UnusableBackup';
}

const bytesOf = (contents: Contents): Buffer => Buffer.from(JSON.stringify(contents));

/** The codes by which a restore recognises these keys. */
export const keyChecks = (keys: KeyRing): Contents['keys'] =>
  keys.keyIds.map((id) => ({ id, check: keys.macUnder(id, Buffer.from(id), KEY_PURPOSE) ?? '' }));

/** The text of a manifest. Other JSON of the same contents would have another code: keep the order of its fields. */
export function manifestText(contents: Omit<Contents, 'format'>, keys: KeyRing): string {
  const whole = Contents.parse({ format: FORMAT, ...contents });
  const code = keys.mac(bytesOf(whole), MANIFEST_PURPOSE);
  return `${JSON.stringify({ contents: whole, code }, null, 2)}\n`;
}

/**
 * The contents of the backup in a folder. Throws UnusableBackup for half a backup, for one that was changed, and when a
 * sealing key of its day is missing.
 */
export async function readManifest(folder: string, keys: KeyRing): Promise<Contents> {
  const { contents, code } = await parsedManifest(folder);
  requireKeys(contents, keys);
  if (keys.macUnder(code.keyId, bytesOf(contents), MANIFEST_PURPOSE) !== code.mac)
    throw new UnusableBackup(`${MANIFEST} was changed after the backup was made: take another backup.`);
  return contents;
}

async function parsedManifest(folder: string): Promise<z.output<typeof Manifest>> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    throw new UnusableBackup(`${folder} is no whole backup: it has no ${MANIFEST}.`);
  });
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new UnusableBackup(`${MANIFEST} is damaged, or of another release: take another backup.`, {
      cause: error,
    });
  }
}

function requireKeys(contents: Contents, keys: KeyRing): void {
  const present = new Map(keyChecks(keys).map(({ id, check }) => [id, check]));
  const faults = contents.keys.flatMap(({ id, check }) => {
    if (!present.has(id)) return [`the key ${id} is missing`];
    return present.get(id) === check ? [] : [`the key ${id} is another one of the same name`];
  });
  if (faults.length === 0) return;
  throw new UnusableBackup(
    `The keys are not those of the backup: ${faults.join('; ')}. Nothing that is sealed would open. ` +
      'Give the secrets.json of its machine (--secrets=FILE), or SEALING_KEYS with all its keys.',
  );
}
