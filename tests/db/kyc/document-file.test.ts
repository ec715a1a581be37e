import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBlobs } from '../../../db/blobs/disk';
import { claimBlobs, removeLeftBlobs } from '../../../db/blobs/discarded.writes';
import {
  contentCodeOf,
  storeDocument,
  openDocument,
  type DocumentFileRow,
  type DocumentPart,
  type StoredDocumentFile,
} from '../../../db/kyc/document/document-file';
import { Unsealable } from '../../../db/sealing/cipher';
import { KeyRing, type SealingKey } from '../../../db/sealing/key-ring';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  await execute(own.db, 'DELETE FROM discarded_blobs');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const key = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const old = key('2026-01');
const current = key('2026-11');
const keys = new KeyRing([current]);
const content = Buffer.from('%PDF-1.7 the passport of Ada Lovelace');
const thumbnail = Buffer.from('a small passport of Ada Lovelace');

const placeOf = (name: string): string => join(folder, name.slice(0, 2), name);

/** A document that is kept as an upload keeps it, as its row would have it. */
async function kept(
  ring = keys,
  thumbnailBytes: Buffer | null = thumbnail,
  sent = content,
): Promise<DocumentFileRow & StoredDocumentFile> {
  const identity = { documentId: randomUUID(), userId: randomUUID(), type: 'PASSPORT' as const };
  const stored = await storeDocument(
    { blobs: diskBlobs(folder), db: own.db, keys: ring },
    { ...identity, content, sent, thumbnail: thumbnailBytes },
  );
  return { id: identity.documentId, userId: identity.userId, type: identity.type, ...stored };
}

const open = (row: DocumentFileRow, part: DocumentPart = 'file', ring = keys) =>
  openDocument({ blobs: diskBlobs(folder), keys: ring }, row, part);

test('a document and its thumbnail open with their row, and the disk shows neither', async () => {
  const row = await kept();
  expect(await open(row)).toEqual(content);
  expect(await open(row, 'thumbnail')).toEqual(thumbnail);
  for (const name of [row.fileBlob, row.thumbnailBlob!])
    expect((await readFile(placeOf(name))).includes('Lovelace')).toBe(false);
});

test('a file that is shown otherwise opens as it was sent', async () => {
  const sent = Buffer.from('the passport as the camera took it');
  const row = await kept(keys, thumbnail, sent);
  expect([await open(row, 'original'), await open(row)]).toEqual([sent, content]);
  expect((await readFile(placeOf(row.originalBlob!))).includes('camera')).toBe(false);
  const swapped = { ...row, originalBlob: row.fileBlob, fileBlob: row.originalBlob! };
  await expect(open(swapped, 'original')).rejects.toThrow(Unsealable);
});

test('a file that is shown as it was sent is stored once', async () => {
  const row = await kept();
  expect([row.originalBlob, await open(row, 'original')]).toEqual([null, content]);
});

test('one without a thumbnail has none, and a blob that is gone is null', async () => {
  const row = await kept(keys, null);
  expect(row.thumbnailBlob).toBeNull();
  expect(await open(row, 'thumbnail')).toBeNull();
  await diskBlobs(folder).delete(row.fileBlob);
  expect(await open(row)).toBeNull();
});

test('two uploads of the same bytes differ on the disk, and have the same code', async () => {
  const [one, other] = [await kept(), await kept()];
  expect(await readFile(placeOf(one.fileBlob))).not.toEqual(await readFile(placeOf(other.fileBlob)));
  expect(contentCodeOf(keys, one)).toEqual(contentCodeOf(keys, other));
  expect(contentCodeOf(keys, one)).toEqual({ keyId: one.contentKey, mac: one.contentMac });
  const another = await kept(keys, thumbnail, Buffer.from('as a camera sent it, with its place'));
  expect(another.contentMac).not.toBe(one.contentMac);
});

test('no byte of a file can be changed, added or be missing', async () => {
  const row = await kept();
  const place = placeOf(row.fileBlob);
  const sealed = await readFile(place);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    await writeFile(place, changed);
    await expect(open(row)).rejects.toThrow(Unsealable);
    await writeFile(place, sealed.subarray(0, at));
    await expect(open(row)).rejects.toThrow(Unsealable);
  }
  await writeFile(place, Buffer.concat([sealed, Buffer.from('x')]));
  await expect(open(row)).rejects.toThrow(Unsealable);
});

test('no byte of the key of its row can be changed', async () => {
  const row = await kept();
  for (let at = 0; at < row.dataKey.length; at++) {
    const dataKey = Buffer.from(row.dataKey);
    dataKey[at]! ^= 1;
    await expect(open({ ...row, dataKey })).rejects.toThrow(Unsealable);
  }
});

describe('a file opens for no other row', () => {
  test('the files of two documents swapped', async () => {
    const [hers, his] = [await kept(), await kept()];
    await expect(open({ ...hers, fileBlob: his.fileBlob })).rejects.toThrow(Unsealable);
  });

  test('with its key as well', async () => {
    const [hers, his] = [await kept(), await kept()];
    const swapped = { ...hers, fileBlob: his.fileBlob, dataKey: his.dataKey };
    await expect(open(swapped)).rejects.toThrow(Unsealable);
  });

  test('the thumbnail for the file, and the file for the thumbnail', async () => {
    const row = await kept();
    const swapped = { ...row, fileBlob: row.thumbnailBlob!, thumbnailBlob: row.fileBlob };
    await expect(open(swapped)).rejects.toThrow(Unsealable);
    await expect(open(swapped, 'thumbnail')).rejects.toThrow(Unsealable);
  });

  test.each([{ userId: randomUUID() }, { type: 'SELFIE' as const }, { id: randomUUID() }])(
    '%j',
    async (change) => {
      await expect(open({ ...(await kept()), ...change })).rejects.toThrow(Unsealable);
    },
  );
});

describe('a change of the master key', () => {
  test('what an old key of the ring sealed opens', async () => {
    expect(await open(await kept(new KeyRing([old])), 'file', new KeyRing([current, old]))).toEqual(content);
  });

  test('what a retired key sealed does not, nor under another key of its name', async () => {
    const row = await kept(new KeyRing([old]));
    await expect(open(row, 'file', new KeyRing([current]))).rejects.toThrow('not on the ring');
    await expect(open(row, 'file', new KeyRing([current, key(old.id)]))).rejects.toThrow(Unsealable);
  });
});

describe('until a row claims them', () => {
  test('both blobs are listed to be removed, and one that was claimed stays', async () => {
    const [left, claimed] = [await kept(), await kept()];
    await inTransaction(own.db, (tx) => claimBlobs(tx, [claimed.fileBlob, claimed.thumbnailBlob!]));
    const later = new Date(Date.now() + 2 * 3_600_000);
    expect(await removeLeftBlobs(own.db, diskBlobs(folder), later)).toBe(2);
    expect([await open(left), await open(left, 'thumbnail')]).toEqual([null, null]);
    expect([await open(claimed), await open(claimed, 'thumbnail')]).toEqual([content, thumbnail]);
  });

  test('a disk that is full at the thumbnail leaves a file that is removed', async () => {
    const blobs = diskBlobs(folder, async (file, bytes) => {
      if (bytes.length < thumbnail.length + 30) throw new Error('ENOSPC: no space left on device');
      await file.writeFile(bytes);
    });
    const document = { documentId: randomUUID(), userId: randomUUID(), type: 'SELFIE' as const };
    const large = Buffer.alloc(1_000);
    await expect(
      storeDocument({ blobs, db: own.db, keys }, { ...document, content: large, sent: large, thumbnail }),
    ).rejects.toThrow('ENOSPC');
    const files = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(await files()).toHaveLength(1);
    await removeLeftBlobs(own.db, blobs, new Date(Date.now() + 2 * 3_600_000));
    expect(await files()).toEqual([]);
  });
});
