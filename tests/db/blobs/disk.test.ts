import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBlobs } from '../../../db/blobs/disk';
import { newBlobName, SHELVES, shelfOf, type BlobStore } from '../../../db/blobs/port';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Stores bytes under a name of their own. */
const put = async (blobs: BlobStore, bytes: Buffer): Promise<string> => {
  const name = newBlobName();
  await blobs.put(name, bytes);
  return name;
};

const files = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

test('answers the same bytes, under a name that cannot be guessed', async () => {
  const blobs = diskBlobs(folder);
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const names = [await put(blobs, all), await put(blobs, all), await put(blobs, Buffer.alloc(0))];
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/);
  expect(await diskBlobs(folder).get(names[0]!)).toEqual(all);
  expect(await blobs.get(names[2]!)).toEqual(Buffer.alloc(0));
});

test('a deleted blob is gone, and deleting it again does nothing', async () => {
  const blobs = diskBlobs(folder);
  const [name, other] = [await put(blobs, Buffer.from('a')), await put(blobs, Buffer.from('b'))];
  await blobs.delete(name);
  await blobs.delete(name);
  expect(await blobs.get(name)).toBeNull();
  expect(await blobs.get(other)).toEqual(Buffer.from('b'));
});

test('only our own account may read the file or look into its folder', async () => {
  await put(diskBlobs(folder), Buffer.from('passport'));
  const [file] = await files();
  expect((await stat(file!)).mode & 0o777).toBe(0o600);
  expect((await stat(join(file!, '..'))).mode & 0o777).toBe(0o700);
});

test.each([
  '../secret',
  '/etc/passwd',
  '..',
  '',
  'a'.repeat(63),
  `${'a'.repeat(64)}/../../secret`,
  'A'.repeat(64),
  `${'a'.repeat(64)}\n`,
])('reaches nothing by the name %j', async (name) => {
  const blobs = diskBlobs(join(folder, 'inside'));
  await writeFile(join(folder, 'secret'), 'secret');
  await expect(blobs.get(name)).rejects.toThrow(TypeError);
  await expect(blobs.delete(name)).rejects.toThrow(TypeError);
  await expect(blobs.storedAt(name)).rejects.toThrow(TypeError);
  await expect(blobs.put(name, Buffer.from('x'))).rejects.toThrow(TypeError);
  await expect(blobs.list(name)).rejects.toThrow(TypeError);
  expect(await files()).toEqual([join(folder, 'secret')]);
});

test('a disk that fills up half-way stores nothing', async () => {
  const full = diskBlobs(folder, async (file, bytes) => {
    await file.write(bytes.subarray(0, 3));
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  });
  await expect(put(full, Buffer.from('passport'))).rejects.toThrow('ENOSPC');
  expect(await files()).toEqual([]);
});

test('every blob is on its shelf, with what a broken upload left, and deleting removes both', async () => {
  const blobs = diskBlobs(folder);
  const names = [await put(blobs, Buffer.from('a')), await put(blobs, Buffer.from('b'))];
  const broken = newBlobName();
  await mkdir(join(folder, shelfOf(broken)), { recursive: true });
  await writeFile(join(folder, shelfOf(broken), `${broken}.unfinished`), 'half');
  await writeFile(join(folder, shelfOf(broken), 'notes.txt'), 'not a blob');
  const listed = async () => {
    const shelves = await Promise.all(SHELVES.map((shelf) => blobs.list(shelf)));
    return {
      whole: shelves.flatMap(({ whole }) => whole).sort(),
      unfinished: shelves.flatMap(({ unfinished }) => unfinished),
    };
  };
  expect(await listed()).toEqual({ whole: [...names].sort(), unfinished: [broken] });
  for (const name of [...names, broken])
    expect(Date.now() - (await blobs.storedAt(name))!.getTime()).toBeLessThan(60_000);
  expect(await blobs.get(broken)).toBeNull();
  for (const name of [...names, broken]) await blobs.delete(name);
  expect(await listed()).toEqual({ whole: [], unfinished: [] });
  expect(await blobs.storedAt(broken)).toBeNull();
});
