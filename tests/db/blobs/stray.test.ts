import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BLOB_COLUMNS } from '../../../db/blobs/blob-columns';
import { claimBlobs, discardBlobs, storeBlob, removeLeftBlobs } from '../../../db/blobs/discarded.writes';
import { diskBlobs } from '../../../db/blobs/disk';
import { newBlobName, shelfOf, type BlobStore } from '../../../db/blobs/port';
import { removeStrayBlobs, strayBlobs } from '../../../db/blobs/stray.writes';
import { isSchemaNewer } from '../../../db/schema/newer-schema.reads';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';
import { age, document, picture, placeOf, stored } from './store';

const own = ownDatabase();
let folder: string;
let blobs: BlobStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strays-'));
  blobs = diskBlobs(folder);
  await execute(own.db, 'DELETE FROM discarded_blobs');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const old = async (text?: string): Promise<string> => {
  const name = await stored(blobs, text);
  await age(folder, name, 25);
  return name;
};
const sweep = (options?: Parameters<typeof removeStrayBlobs>[3]) =>
  removeStrayBlobs(own.db, blobs, new Date(), options);
const isStored = async (name: string): Promise<boolean> => (await blobs.get(name)) !== null;

describe('blobs that no row has', () => {
  test('are deleted when they are a day old, with what broken uploads left', async () => {
    const [stray, young, broken] = [await old(), await stored(blobs), await stored(blobs)];
    await age(folder, young, 23);
    await rename(placeOf(folder, broken), `${placeOf(folder, broken)}.unfinished`);
    await age(folder, broken, 25, '.unfinished');
    expect(await sweep()).toBe(2);
    expect([await isStored(stray), await isStored(young)]).toEqual([false, true]);
    expect(await blobs.storedAt(broken)).toBeNull();
  });

  test('a blob that any row has stays, however old', async () => {
    const { id } = await make.user(own.db);
    const [ofPicture, file, thumbnail, discarded] = [await old(), await old(), await old(), await old()];
    await picture(own.db, ofPicture);
    await document(own.db, id, { file, thumbnail });
    await discardBlobs(own.db, [discarded]);
    expect(await sweep()).toBe(0);
    for (const name of [ofPicture, file, thumbnail, discarded]) expect(await isStored(name)).toBe(true);
  });

  test('at most so many in one run, and the next run continues', async () => {
    const names = [await old(), await old(), await old()];
    expect(await sweep({ most: 2 })).toBe(2);
    expect(await sweep({ most: 2 })).toBe(1);
    for (const name of names) expect(await isStored(name)).toBe(false);
  });

  test('an interrupted run deletes nothing more', async () => {
    const name = await old();
    await expect(sweep({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    expect(await isStored(name)).toBe(true);
  });

  test('one whose row comes while the run looks at it stays', async () => {
    const name = await old();
    const slow: BlobStore = {
      ...blobs,
      async storedAt(asked) {
        await picture(own.db, name);
        return blobs.storedAt(asked);
      },
    };
    expect(await removeStrayBlobs(own.db, slow, new Date())).toBe(0);
    expect(await isStored(name)).toBe(true);
  });

  test('stays while the schema is that of a newer release, whose tables may have it', async () => {
    const name = await old();
    await execute(own.owner, `INSERT INTO schema_migrations VALUES ('9999-more-files', now())`);
    expect([await isSchemaNewer(own.db), await sweep(), await isStored(name)]).toEqual([true, 0, true]);
    expect(await strayBlobs(own.db, blobs, shelfOf(name), new Date())).toEqual([]);
    await execute(own.owner, `DELETE FROM schema_migrations WHERE name = '9999-more-files'`);
    expect([await isSchemaNewer(own.db), await sweep(), await isStored(name)]).toEqual([false, 1, false]);
  });

  test('every column of a table that names a blob is known', async () => {
    const columns = await rows<{ column: string }>(
      own.db,
      `SELECT table_name || '.' || column_name AS "column" FROM information_schema.columns
        WHERE table_schema = 'public' AND (column_name LIKE '%\\_blob' OR table_name = 'media' AND column_name = 'name')
        ORDER BY 1`,
    );
    expect(columns.map(({ column }) => column)).toEqual(
      BLOB_COLUMNS.map(({ table, column }) => `${table}.${column}`),
    );
  });
});

describe('an upload', () => {
  /** A store whose process is killed before, or after, the bytes are on the disk. */
  const killed = (moment: 'before' | 'half-way' | 'after'): BlobStore => ({
    ...blobs,
    async put(name, bytes) {
      if (moment !== 'before') await blobs.put(name, bytes);
      if (moment === 'half-way') await rename(placeOf(folder, name), `${placeOf(folder, name)}.unfinished`);
      throw new Error('killed');
    },
  });

  test.each(['before', 'half-way', 'after'] as const)('killed %s leaves nothing for long', async (moment) => {
    await expect(storeBlob(own.db, killed(moment), Buffer.from('x'))).rejects.toThrow('killed');
    const [left] = await rows<{ name: string }>(own.db, 'SELECT name FROM discarded_blobs');
    expect((await blobs.storedAt(left!.name)) !== null).toBe(moment !== 'before');
    expect(await removeLeftBlobs(own.db, blobs, new Date(Date.now() + 61 * 60_000))).toBe(1);
    expect(await blobs.storedAt(left!.name)).toBeNull();
    expect(await rows(own.db, 'SELECT name FROM discarded_blobs')).toEqual([]);
  });

  test('on a full disk stores nothing, and lists a name that is soon forgotten', async () => {
    const full = diskBlobs(folder, () => Promise.reject(new Error('ENOSPC: no space left on device')));
    await expect(storeBlob(own.db, full, Buffer.from('x'))).rejects.toThrow('ENOSPC');
    expect(await removeLeftBlobs(own.db, blobs, new Date(Date.now() + 61 * 60_000))).toBe(1);
    expect(await sweep()).toBe(0);
  });

  test('that claims its blob within half an hour has it; later it is refused, before the blob is deleted', async () => {
    const [inTime, late] = [
      await storeBlob(own.db, blobs, Buffer.from('a')),
      await storeBlob(own.db, blobs, Buffer.from('b')),
    ];
    for (const [name, minutes] of [
      [inTime, 29],
      [late, 31],
    ] as const)
      await execute(
        own.db,
        `UPDATE discarded_blobs SET discarded_at = now() - make_interval(mins => $2) WHERE name = $1`,
        [name, minutes],
      );
    await inTransaction(own.db, (tx) => claimBlobs(tx, [inTime]));
    await expect(inTransaction(own.db, (tx) => claimBlobs(tx, [late]))).rejects.toThrow('removed');
    expect(await removeLeftBlobs(own.db, blobs, new Date())).toBe(0);
    expect([await isStored(inTime), await isStored(late)]).toEqual([true, true]);
  });

  test('that slept for a day after its listing cannot claim a blob of which nobody knows', async () => {
    const name = newBlobName();
    await discardBlobs(own.db, [name]);
    await removeLeftBlobs(own.db, blobs, new Date(Date.now() + 61 * 60_000));
    await blobs.put(name, Buffer.from('late'));
    await expect(inTransaction(own.db, (tx) => claimBlobs(tx, [name]))).rejects.toThrow('removed');
    await age(folder, name, 25);
    expect(await sweep()).toBe(1);
  });
});
