import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { ProvidersConfig } from '../../activities/providers/config';
import { ApiConfig } from '../../api/config';
import { WorkerConfig } from '../../workers/config';
import { workflowBundle } from '../support/run/bundle';
import { lists } from './limits/lists.cjs';

const root = resolve(__dirname, '../..');
const MOST_LINES = 200;
const MOST_LINES_OF_A_TEST = 400;

/** The project's top level: these folders, and besides dotfiles only these files. */
const folders = ['activities', 'api', 'db', 'local', 'tests', 'workers', 'workflows'];
const rootFiles = [
  'Dockerfile',
  'LICENSE',
  'README.md',
  'docker-compose.yml',
  'eslint.config.js',
  'jest.config.js',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];
const notOurs = ['node_modules', 'dist', 'coverage'];
const namesThatSayNothing = /^(utils?|helpers?|services?|common|managers?|lib|misc|shared|data)$/;

const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
);
const sources = paths.filter((path) => /\.(ts|js|cjs|mjs)$/.test(path));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the top level holds what the architecture says and nothing else', () => {
  const strangers = readdirSync(root).filter(
    (name) => !name.startsWith('.') && ![...folders, ...rootFiles, ...notOurs].includes(name),
  );
  expect(strangers).toEqual([]);
});

test('no folder or file has a name that says nothing', () => {
  const parts = (path: string) => path.split(sep).map((part) => basename(part).split('.')[0]!);
  expect(paths.filter((path) => parts(path).some((part) => namesThatSayNothing.test(part)))).toEqual([]);
});

test('names are in kebab case', () => {
  const isFile = (path: string) => statSync(join(root, path)).isFile();
  expect(
    sources.filter((path) => isFile(path) && !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(basename(path))),
  ).toEqual([]);
});

test(`no source file is longer than ${MOST_LINES} lines, ${MOST_LINES_OF_A_TEST} in a test`, () => {
  const lines = (path: string) => read(path).trimEnd().split('\n').length;
  const most = (path: string) => (path.endsWith('.test.ts') ? MOST_LINES_OF_A_TEST : MOST_LINES);
  const limited = sources.filter((path) => !lists.some((list) => path.startsWith(list)));
  expect(limited.filter((path) => lines(path) > most(path)).map((path) => `${path} ${lines(path)}`)).toEqual(
    [],
  );
  expect(lists.filter((list) => !existsSync(join(root, list)))).toEqual([]);
});

test('what is left to do names its issue', () => {
  const notes = sources.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, i) => (/\b(TODO|FIXME)\b(?!\(#\d+\))/.test(line) ? [`${path}:${i + 1}`] : [])),
  );
  expect(notes.filter((place) => !place.startsWith(join('tests', 'architecture', 'tidy.test.ts')))).toEqual(
    [],
  );
});

test('no check is switched off and no test is left out', () => {
  const switches =
    /eslint-disable|@ts-(ignore|nocheck|expect-error)|\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|test|describe)\(/;
  const own = join('tests', 'architecture', 'tidy.test.ts');
  expect(sources.filter((path) => path !== own && switches.test(read(path)))).toEqual([]);
});

test('the workflow bundle builds and holds every process', () => {
  const bundle = readFileSync(workflowBundle().codePath, 'utf8');
  const processes = [...read('workflows/index.ts').matchAll(/export \{ (\w+) \}/g)].map(([, name]) => name!);
  expect(processes.filter((name) => !bundle.includes(`function ${name}(`))).toEqual([]);
});

test('.env.example names exactly the variables that the configuration or docker-compose.yml reads', () => {
  const configured = sources
    .filter((path) => basename(path) === 'config.ts' && !path.startsWith('tests'))
    .flatMap((path) => [...read(path).matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!));
  const deployed = [...read('docker-compose.yml').matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  const ofPrograms = [ApiConfig, ProvidersConfig, WorkerConfig].flatMap(({ shape }) => Object.keys(shape));
  const wanted = [...configured, ...ofPrograms, ...deployed];
  const named = [...read('.env.example').matchAll(/^#?\s*([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
  const setByTheSystem = ['PATH', 'HOME', 'TMPDIR'];
  expect([...new Set(named)].sort()).toEqual(
    [...new Set(wanted)].filter((name) => !setByTheSystem.includes(name)).sort(),
  );
});

test('the environment is read in config.ts and nowhere else', () => {
  const readers = sources.filter((path) => !path.startsWith('tests') && /process\.env/.test(read(path)));
  expect(readers.filter((path) => basename(path) !== 'config.ts')).toEqual([]);
});
