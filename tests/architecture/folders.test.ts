import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** The limit of files in a folder; a full one has two nouns. */
const MOST_FILES = 12;
/** Folders of one kind of thing, which only grow by the next of it. */
const series = [/^db\/schema\/migrations$/, /^api\/docs\/examples\/answers$/, /^tests\/replay\/\w+$/];
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
    .filter((folder) => !series.some((pattern) => pattern.test(folder)))
    .flatMap((folder) => {
      const { length } = filesOf(folder).filter((name) => name !== 'README.md');
      return length > MOST_FILES ? [`${folder}: ${length}`] : [];
    });
  expect(crowded).toEqual([]);
});
