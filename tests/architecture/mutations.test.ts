import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const Mutations = z.array(
  z.strictObject({
    id: z.string().min(3),
    file: z.string(),
    from: z.string().min(3),
    to: z.string(),
    tests: z.array(z.string()).min(1),
  }),
);

const folder = 'tests/mutation/by-hand';
const mutations = readdirSync(join(root, folder)).flatMap((name) =>
  Mutations.parse(JSON.parse(read(`${folder}/${name}`))),
);

test('every mutation by hand still fits the code, and its tests are there', () => {
  const wrong = mutations.filter(
    ({ file, from, to, tests }) =>
      !existsSync(join(root, file)) ||
      read(file).split(from).length !== 2 ||
      from === to ||
      !tests.every((path) => existsSync(join(root, path))),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
  expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
});
