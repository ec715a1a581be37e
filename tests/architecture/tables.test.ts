import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

const sourcesIn = (...folders: string[]): { path: string; text: string }[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path))
      .filter((path) => !path.startsWith(join('db', 'schema', 'migrations')))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );

const CAMEL_ALIAS = /\bAS "[a-z0-9]+[A-Z]\w*"/g;

test('statements do not alias columns in camelCase, since rows have the names of the models', () => {
  const aliases = sourcesIn('activities', 'api', 'db', 'workers').flatMap(({ path, text }) =>
    [...text.matchAll(CAMEL_ALIAS)].map(([alias], i) => `${path} ${i + 1}: ${alias}`),
  );
  expect(aliases).toEqual([]);
});

/** Tables whose statements are a package's own, rate-limiter-flexible's; and those that triggers write and a view reads. */
const OF_OTHERS = [
  'db/administration/retention/rate-limit.model.ts',
  'db/administration/analytics/customer-first-order.model.ts',
  'db/partners/rank/partner-state-change.model.ts',
];

test('every model is used by a statement or a type of db', () => {
  const sources = sourcesIn('db');
  const importers = (model: string): string[] =>
    sources
      .filter(({ text }) => new RegExp(`/${basename(model, '.ts').replaceAll('.', '\\.')}'`).test(text))
      .map(({ path }) => path);
  const models = sources.map(({ path }) => path).filter((path) => path.endsWith('.model.ts'));
  expect(models.length).toBeGreaterThan(0);
  const unused = models.filter((model) => importers(model).length === 0);
  expect(unused.filter((model) => !OF_OTHERS.includes(model))).toEqual([]);
});
