import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readMigrations } from '../../../db/schema/migration-list';
import { models } from '../../../db/program/models';
import { programFiles } from '../../../db/program/program-files';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'program-files-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(paths: readonly string[], content = ''): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const MIGRATION = 'exports.up = async () => undefined; exports.down = exports.up;';

const named = (options: Parameters<typeof programFiles>[1]): string[] =>
  programFiles(folder, options).map(({ name }) => name);

test('of a compiled folder only the programs are read, not their source maps and declarations', () => {
  write(['b.js', 'b.js.map', 'b.d.ts', 'b.ts', 'a/index.js', 'a/index.js.map', 'notes.md']);
  expect(named({ deep: false, extension: '.js' })).toEqual(['a', 'b']);
  expect(named({ deep: true, extension: '.js' })).toEqual(['index', 'b']);
});

test('of sources no declarations are read', () => {
  write(['c.ts', 'c.d.ts', 'c.js']);
  expect(named({ deep: true, extension: '.ts' })).toEqual(['c']);
});

test('migrations are read in the order of their numbers, files and folders alike', () => {
  write(['0002-second.ts', '0001-first/index.ts', '0010-tenth.ts'], MIGRATION);
  expect(readMigrations(folder).map(({ name }) => name)).toEqual(['0001-first', '0002-second', '0010-tenth']);
});

test.each([
  [
    'without a way back',
    ['0001-first.ts'],
    'exports.up = async () => undefined;',
    '0001-first.ts is no migration',
  ],
  ['without a number', ['first.ts'], MIGRATION, 'first.ts is no migration'],
  [
    'whose number another one has',
    ['0001-first.ts', '0001-other.ts'],
    MIGRATION,
    'Two migrations have the number 0001',
  ],
])('a migration %s is refused', (_, paths, content, message) => {
  write(paths, content);
  expect(() => readMigrations(folder)).toThrow(message);
});

test('every class of every model file is a model of the connection, once', () => {
  const db = resolve(__dirname, '../../../db');
  const files = readdirSync(db, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.model.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(models).toHaveLength(files.length);
  expect(new Set(models.map(({ name }) => name)).size).toBe(files.length);
});

test('a folder that a build has left behind empty is no migration', () => {
  write(['0001-first/index.ts'], MIGRATION);
  mkdirSync(join(folder, '0002-gone'));
  expect(readMigrations(folder).map(({ name }) => name)).toEqual(['0001-first']);
});
