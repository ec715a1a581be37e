import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lists } from './lists.cjs';

const root = resolve(__dirname, '../../..');

/** The limit of files in a folder; a full one has two nouns. */
const MOST_FILES = 12;
const layers = ['activities', 'api', 'db', 'local', 'tests', 'workers', 'workflows'];

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const folders = layers.flatMap((layer) => [
  layer,
  ...readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)),
]);

test(`no folder has more than ${MOST_FILES} files`, () => {
  const crowded = folders
    .filter((folder) => !lists.some((list) => `${folder}/`.startsWith(list)))
    .flatMap((folder) => {
      const { length } = filesOf(folder).filter((name) => name !== 'README.md');
      return length > MOST_FILES ? [`${folder}: ${length}`] : [];
    });
  expect(crowded).toEqual([]);
});
