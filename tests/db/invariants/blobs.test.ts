import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBlobs } from '../../../db/blobs/disk';
import { newBlobName, SHELVES, type BlobStore } from '../../../db/blobs/port';
import { discardBlobs } from '../../../db/blobs/discarded.writes';
import { blobInvariants, brokenBlobs } from '../../../db/invariants/blob-checks';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';
import { age, document, picture, placeOf, stored } from '../blobs/store';

const own = ownDatabase();
let folder: string;
let blobs: BlobStore;
let userId: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blob-checks-'));
  blobs = diskBlobs(folder);
  userId = (await make.user(own.db)).id;
  await execute(own.db, 'DELETE FROM discarded_blobs');
  await execute(own.db, 'DELETE FROM media');
  await execute(own.db, 'DELETE FROM kyc_documents');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const check = (options?: Parameters<typeof brokenBlobs>[2]) => brokenBlobs(own.db, blobs, options);
const missing = (entity: string, detail: RegExp) => [
  { invariant: 'blobs.of-rows-are-stored', entity, detail: expect.stringMatching(detail) as string },
];
const stray = (entity: string) => [{ invariant: 'blobs.have-rows', entity, detail: 'no row has this file' }];

test('where every row has its files and every file its row, all holds', async () => {
  await picture(own.db, await stored(blobs));
  await document(own.db, userId, { file: await stored(blobs), thumbnail: await stored(blobs) });
  await document(own.db, userId, { file: await stored(blobs), thumbnail: null });
  const [discarded, young] = [await stored(blobs), await stored(blobs)];
  await age(folder, discarded, 100);
  await discardBlobs(own.db, [discarded]);
  await age(folder, young, 47);
  expect(await check()).toEqual([]);
  for (const says of Object.values(blobInvariants)) expect(says).toMatch(/^[A-Z].+\.$/);
});

test.each(['file', 'thumbnail'] as const)('a document without its %s is named', async (part) => {
  const names = { file: await stored(blobs), thumbnail: await stored(blobs) };
  const id = await document(own.db, userId, names);
  await blobs.delete(names[part]);
  expect(await check()).toEqual(missing(id, new RegExp(`^kyc_documents.${part}_blob is ${names[part]}, `)));
});

test('a picture without its file is named', async () => {
  const name = newBlobName();
  await picture(own.db, name);
  expect(await check()).toEqual(missing(name, /^media.name is/));
});

test('a file that is not whole is none', async () => {
  const name = await stored(blobs);
  await picture(own.db, name);
  await rename(placeOf(folder, name), `${placeOf(folder, name)}.unfinished`);
  expect(await check()).toEqual(missing(name, /not stored$/));
});

test('an old file without a row is named, on every shelf', async () => {
  const first = `${'0'.repeat(63)}1`;
  const last = 'f'.repeat(64);
  for (const name of [first, last]) {
    await blobs.put(name, Buffer.from('x'));
    await age(folder, name, 49);
    expect(await check()).toEqual(stray(name));
    await picture(own.db, name);
    expect(await check()).toEqual([]);
  }
});

test('a row that is deleted with its file while the check looks is no offence', async () => {
  const name = await stored(blobs);
  await picture(own.db, name);
  const deleting: BlobStore = {
    ...blobs,
    async list(shelf) {
      await execute(own.db, 'DELETE FROM media WHERE name = $1', [name]);
      await blobs.delete(name);
      return blobs.list(shelf);
    },
  };
  expect(await brokenBlobs(own.db, deleting)).toEqual([]);
});

test('of very many offences fifty of each kind are named', async () => {
  for (let n = 0; n < 60; n += 1) {
    await picture(own.db, newBlobName());
    await age(folder, await stored(blobs), 49);
  }
  expect(await check()).toHaveLength(100);
});

test('a check that takes too long ends, and later ones look at the other shelves first', async () => {
  const seen: string[] = [];
  const watched: BlobStore = {
    ...blobs,
    list: (shelf) => {
      seen.push(shelf);
      return blobs.list(shelf);
    },
  };
  for (let hour = 0; hour < SHELVES.length; hour += 1)
    await brokenBlobs(own.db, watched, { checkMs: 0, at: new Date(hour * 3_600_000) });
  expect(seen).toHaveLength(SHELVES.length);
  expect([...seen].sort()).toEqual([...SHELVES]);
});

test('a check that is cancelled ends', async () => {
  await expect(check({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
});
