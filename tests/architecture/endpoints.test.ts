import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { endpoints } from '../../api/endpoints';
import type { Endpoint } from '../../api/http/endpoint';
import { errorsOf } from '../../api/http/answer/errors';
import { specification } from './specification';
import { sharedErrors, type Row } from './specification/row';

/** Endpoints that the specification asks for and that are not built. This number only falls. */
const MISSING_ENDPOINTS = 0;
/** Error codes that built endpoints cannot answer yet, since what they refuse is not built. This number only falls. */
const MISSING_CODES = 0;

const root = resolve(__dirname, '../..');

/** Method and path, without the names of parameters. */
const nameOf = ({ method, path }: Pick<Row, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${path.replace(/:\w+/g, ':')}`;

const rowOf = new Map(specification.map((row) => [nameOf(row), row]));
const built = endpoints.map((endpoint) => ({
  name: nameOf(endpoint),
  endpoint,
  row: rowOf.get(nameOf(endpoint)),
}));

const factsOf = ({ auth, limit, success }: Endpoint | Row) => ({
  auth,
  requests: limit.requests,
  perSeconds: limit.perSeconds,
  financial: limit.financial === true,
  general: limit.general === true,
  success: [...success],
});

test('the specification has one row per endpoint', () => {
  expect(rowOf.size).toBe(specification.length);
});

test('no endpoint is listed twice', () => {
  const names = built.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('nothing is served that the specification does not ask for', () => {
  expect(built.filter(({ row }) => !row).map(({ name }) => name)).toEqual([]);
});

test.each(built.filter(({ row }) => row !== undefined))('$name is what its row says', ({ endpoint, row }) => {
  const shared = sharedErrors(row!);
  const allowed = { ...shared, ...row!.errors };
  expect(factsOf(endpoint)).toEqual(factsOf(row!));
  expect(errorsOf(endpoint)).toMatchObject(shared);
  for (const [code, status] of Object.entries(endpoint.errors))
    expect({ code, status }).toEqual({ code, status: allowed[code] });
});

test('what is not built yet is known, and grows less', () => {
  const names = new Set(built.map(({ name }) => name));
  const missing = specification.filter((row) => !names.has(nameOf(row)));
  const codes = built.flatMap(({ name, endpoint, row }) =>
    Object.keys(row?.errors ?? {}).flatMap((code) => (code in endpoint.errors ? [] : [`${name} ${code}`])),
  );
  const lines = [...missing.map((row) => `${row.method.toUpperCase()} ${row.path}`), ...codes];
  process.stdout.write(`Not built yet, of ${specification.length} endpoints:\n  ${lines.join('\n  ')}\n`);
  expect({ endpoints: missing.length, codes: codes.length }).toEqual({
    endpoints: MISSING_ENDPOINTS,
    codes: MISSING_CODES,
  });
});

describe('every refusal of an endpoint is tried by its tests', () => {
  const sources = filesUnder('api');

  test.each(built)('$name', ({ endpoint }) => {
    const source = sources.find(({ text }) => declares(text, endpoint));
    const tests = source ? testsOf(source.path) : [];
    const untried = Object.keys(endpoint.errors).filter(
      (code) => !tests.some(({ text }) => text.includes(code)),
    );
    expect({ source: source !== undefined, tests: tests.length > 0, untried }).toEqual({
      source: true,
      tests: true,
      untried: [],
    });
  });
});

interface File {
  path: string;
  text: string;
}

function filesUnder(folder: string): File[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), 'utf8') }));
}

/** Tells whether this file has the endpoint's contract. */
function declares(text: string, { method, path }: Endpoint): boolean {
  return text.includes(`method: '${method}'`) && text.includes(`path: '${path}'`);
}

/** The tests called like the file, in the folder that mirrors its own; where none is, all of that folder. */
function testsOf(source: string): File[] {
  const folder = join('tests/api', relative('api', dirname(source)));
  const all = filesUnder(folder).filter(({ path }) => path.endsWith('.test.ts'));
  const own = all.filter(({ path }) => basename(path).startsWith(basename(source, '.ts')));
  return own.length > 0 ? own : all;
}

test('paths take orders by number, and products and categories by slug', () => {
  const named = built.filter(({ name }) => /^\w+ (\/admin)?\/(orders|products|categories)\/:/.test(name));
  expect(named.length).toBeGreaterThan(20);
  for (const { name, endpoint } of named) {
    const others = { imageId: v7(), variantId: v7(), reviewId: v7() };
    const { success } = endpoint.params.safeParse({ ...others, id: 'a-name' });
    expect([name, success]).toEqual([name, true]);
  }
});
