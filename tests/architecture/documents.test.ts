import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { endpoints } from '../../api/endpoints';
import { services } from './compose/compose';

const root = resolve(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folders = ['activities', 'api', 'db', 'local', 'tests', 'workers', 'workflows'];
const documents = [
  'README.md',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(folder, path)),
  ),
];
const guide = read('workflows/README.md');

test('README.md is read in a few minutes: at most 120 lines and 8 kB', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(8_000);
});

test('tables fit into 120 columns', () => {
  const wide = documents.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (line.startsWith('|') && line.length > 120 ? [`${path}:${index + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

test('every link to a file leads somewhere', () => {
  const dead = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(resolve(root, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test('every path in backticks that names a file of ours is there', () => {
  const ours = new RegExp(`^(${folders.join('|')})/[\\w./-]+\\.(ts|md|cjs|json)$`);
  const gone = documents.flatMap((path) =>
    [...read(path).matchAll(/`([^`\n]+)`/g)]
      .map(([, text]) => text!)
      .filter((text) => ours.test(text) && !/(^|\/)x\./.test(text) && !existsSync(join(root, text)))
      .map((text) => `${path}: ${text}`),
  );
  expect(gone).toEqual([]);
});

interface Definition {
  type: string;
  queue: string;
  id: (key: Record<string, string>) => string;
}

const modules = readdirSync(join(root, 'workflows'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.contract.ts'))
  .map((path) => jest.requireActual<Record<string, unknown>>(join(root, 'workflows', path)));
const exported = modules.flatMap((contract) => Object.values(contract));

const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && 'queue' in value && 'id' in value;
const isMessage = (value: unknown): value is { type: string; name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && 'type' in value && !('queue' in value);

/** Answers each key's name in angle brackets. */
const names = new Proxy({}, { get: (_, key) => `<${String(key)}>` });

test('every process is described, with the messages that it takes', () => {
  const described = new Map(
    guide.split(/\n(?=- \*\*`|\n)/).flatMap((entry) => {
      const [, type] = /^- \*\*`(\w+)`\*\*: /.exec(entry) ?? [];
      return type === undefined ? [] : [[type, entry] as const];
    }),
  );
  expect([...described.keys()].sort()).toEqual(
    exported
      .filter(isDefinition)
      .map(({ type }) => type)
      .sort(),
  );
  const messages = exported
    .filter(isMessage)
    .map(({ name }) => name)
    .filter((name) => !['retry', 'abandon'].includes(name));
  const told = [...described.values()].flatMap((entry) =>
    [...entry.matchAll(/(?:Updates?|signals?|query|queries|Signals?)\s+((?:`\w+`(?:,\s+)?)+)/g)].flatMap(
      ([, list]) => [...list!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    ),
  );
  expect([...new Set(told)].sort()).toEqual([...new Set(messages)].sort());
});

test('the table of patches has each patch of the code, with histories that are recorded', () => {
  const patches = readdirSync(join(root, 'workflows'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      [...read(join('workflows', path)).matchAll(/\bpatched\('([^']+)'\)/g)].map(([, name]) => ({
        name,
        path,
      })),
    );
  const rows = [...guide.matchAll(/^\| `([\w-]+)` +\| `(\S+\.ts)` +\| \d+ \w+ +\| (.+?) +\|$/gm)];
  expect(rows.map(([, name, path]) => ({ name, path }))).toEqual(patches);
  const histories = rows.flatMap(([, , , list]) =>
    [...list!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  );
  expect(histories.filter((path) => !existsSync(join(root, 'tests/replay', `${path}.json`)))).toEqual([]);
  expect(histories.length).toBeGreaterThanOrEqual(rows.length);
});

describe('what documents tell an operator to use is there', () => {
  const runbook = 'workers/OPERATING.md';
  const code = ['activities', 'api', 'db', 'workers', 'workflows'].map(sourcesIn).join('\n');

  /** The names that `find` reads in the documents and that are not known, each with its document. */
  function unknown(paths: readonly string[], known: readonly string[], find: (text: string) => string[]) {
    const found = paths.flatMap((path) => find(read(path)).map((name) => ({ path, name })));
    expect(found).not.toEqual([]);
    return found.filter(({ name }) => !known.includes(name)).map(({ path, name }) => `${path}: ${name}`);
  }

  /** The words in backticks after one of these: one, or several in a list. */
  const wordsAfter =
    (kind: string) =>
    (text: string): string[] =>
      allOf(
        text,
        new RegExp(`\\b(?:${kind})\\s+((?:\`\\w+\`(?:,?\\s+|\\s+(?:or|and)\\s+)?)+)`, 'gi'),
      ).flatMap((list) => allOf(list, /`(\w+)`/g));

  test('scripts of npm, and programs', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const run = (text: string): string[] => allOf(text, /\bnpm (?:run )?(?:--\w+ )*(?!run\b)([a-z][\w:-]*)/g);
    expect(unknown(documents, [...Object.keys(scripts), 'ci'], run)).toEqual([]);
    const programs = documents.flatMap((path) => allOf(read(path), /\bnode dist\/([\w/-]+)\.js/g));
    expect(programs).not.toEqual([]);
    expect(programs.filter((program) => !existsSync(join(root, `${program}.ts`)))).toEqual([]);
  });

  test('services of Compose', () => {
    const known = services.map(([name]) => name);
    expect(unknown(documents, known, servicesIn)).toEqual([]);
  });

  test('messages and processes, as contracts publish them', () => {
    const paths = [runbook, 'README.md'];
    const messages = exported.filter(isMessage).map(({ name }) => name);
    const types = exported.filter(isDefinition).map(({ type }) => type);
    expect(unknown(paths, messages, wordsAfter('updates?|signals?|query|queries'))).toEqual([]);
    expect(unknown(paths, types, wordsAfter('process(?:es)?'))).toEqual([]);
  });

  test('processes to be started by hand, with their queues and ids', () => {
    const known = exported
      .filter(isDefinition)
      .map(({ type, queue, id }) => `${type} ${queue} ${id(names).replace(/:.*/, '')}`);
    const started = (text: string): string[] =>
      [...text.matchAll(/--type (\S+) --task-queue (\S+) --workflow-id "?([\w-]+):/g)].map((match) =>
        match.slice(1).join(' '),
      );
    expect(unknown([runbook], known, started)).toEqual([]);
  });

  test('endpoints', () => {
    const known = endpoints.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/:\w+/g, ':')}`,
    );
    const named = (text: string): string[] =>
      allOf(text, /`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?\s]+)/g).map((name) =>
        name.replace('/api/v1/', '/').replace(/:\w+|<\w+>/g, ':'),
      );
    expect(unknown([runbook], known, named)).toEqual([]);
  });

  test('names of the code', () => {
    const words = new Set(code.match(/\w+/g));
    const named = (text: string): string[] => allOf(text, /`([a-z]+[A-Z]\w*)`/g);
    expect(unknown([runbook, 'README.md'], [...words], named)).toEqual([]);
  });
});

/** The services in commands of Compose; options with values are written `--option=value`, but for `--scale`. */
function servicesIn(text: string): string[] {
  const commands = [...text.matchAll(/docker compose (\w+)((?:(?: +| \\\n *)[^\s`|&;\\]+)+)/g)];
  return [
    ...allOf(text, /--scale ([\w-]+)=/g),
    ...commands.flatMap(([, command = '', rest = '']) => {
      const words = rest.split(/[\s\\]+/).filter((word) => /^[\w-]+$/.test(word) && !word.startsWith('-'));
      return ['exec', 'run'].includes(command) ? words.slice(0, 1) : words;
    }),
  ];
}

const allOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name!);

/** The text of every source below a folder. */
function sourcesIn(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(join(folder, path)))
    .join('\n');
}
