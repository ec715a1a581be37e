import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBlobs } from '../../../db/blobs/disk';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

test('answers the same bytes, under a name that cannot be guessed', async () => {
  const blobs = diskBlobs(folder);
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const names = [await blobs.put(all), await blobs.put(all), await blobs.put(Buffer.alloc(0))];
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/);
  expect(await diskBlobs(folder).get(names[0]!)).toEqual(all);
  expect(await blobs.get(names[2]!)).toEqual(Buffer.alloc(0));
});

test('a deleted blob is gone, and deleting it again does nothing', async () => {
  const blobs = diskBlobs(folder);
  const [name, other] = [await blobs.put(Buffer.from('a')), await blobs.put(Buffer.from('b'))];
  await blobs.delete(name);
  await blobs.delete(name);
  expect(await blobs.get(name)).toBeNull();
  expect(await blobs.get(other)).toEqual(Buffer.from('b'));
});

test('only our own account may read the file or look into its folder', async () => {
  await diskBlobs(folder).put(Buffer.from('passport'));
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
  expect(await files()).toEqual([join(folder, 'secret')]);
});

test('a disk that fills up half-way stores nothing', async () => {
  const full = diskBlobs(folder, async (file, bytes) => {
    await file.write(bytes.subarray(0, 3));
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  });
  await expect(full.put(Buffer.from('passport'))).rejects.toThrow('ENOSPC');
  expect(await files()).toEqual([]);
});
