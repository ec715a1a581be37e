import fc from 'fast-check';
import request from 'supertest';
import { z } from 'zod';
import { endpoints } from '../../../../api/endpoints';
import { endpoint, type Endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { text, typedCode } from '../../../../api/http/request/fields';
import { replacementsWithoutNulls, withoutNulls } from '../../../../api/http/validation/without-nulls';
import { rows } from '../../../../db/sql/query';
import { codeKey } from '../../../../workflows/typed-text.rules';
import { ownDatabase } from '../../../support/servers/database';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

const database = ownDatabase();

/** The fields of a body, by name. */
function fieldsOf({ body }: Endpoint): [string, z.core.$ZodType][] {
  const object = body instanceof z.ZodPipe ? body.in : body;
  return object instanceof z.ZodObject ? Object.entries(object.shape) : [];
}

const isOptional = (field: z.core.$ZodType): boolean => z.safeParse(field, undefined).success;

const propertiesOf = ({ body, raw }: Endpoint): Record<string, { type?: string; pattern?: string }> => {
  if (raw) return {};
  const { properties = {} } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string; pattern?: string }>;
  };
  return properties;
};

/** The fields of a body that are refused. */
function issuesOf(at: Endpoint, body: unknown): Set<string> {
  try {
    at.check({ params: {}, query: {}, body });
    return new Set();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return new Set(error.issues.filter(({ path }) => path[0] === 'body').map(({ path }) => String(path[1])));
  }
}

const DECOMPOSED = 'Cafe\u0301';
const COMPOSED = 'Caf\u00E9';

const echoOf = (method: 'post' | 'patch') =>
  endpoint({
    ...unnamed,
    ...{
      limit: generalLimit,
      success: 200 as const,
      errors: {},
      method,
      path: '/echo/:word',
      auth: 'public' as const,
    },
    params: z.object({ word: z.string() }),
    query: z.object({ search: z.string().optional() }),
    body: z.object({
      list: z.array(z.string()).optional(),
      map: z.record(z.string(), z.string()).optional(),
      cleared: z.string().nullish(),
      inner: z.object({ kept: z.string().nullable(), left: z.string().optional() }).optional(),
    }),
    data: z.object({ seen: z.string() }),
    handle: (input) => Promise.resolve({ seen: JSON.stringify(input) }),
  });
const server = () => serverOf({ db: database.db, endpoints: [echoOf('post'), echoOf('patch')] });

const seenBy = async (method: 'post' | 'patch', path: string, body: object): Promise<unknown> => {
  const answer = await request(server())[method](`/api/v1${path}`).send(body);
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body.data.seen);
};

test('text of every part of a request is brought to NFC, names of fields too', async () => {
  const sent = { list: [DECOMPOSED], map: { [DECOMPOSED]: DECOMPOSED } };
  const path = `/echo/${encodeURIComponent(DECOMPOSED)}?search=${encodeURIComponent(DECOMPOSED)}`;
  expect(await seenBy('post', path, sent)).toEqual({
    params: { word: COMPOSED },
    query: { search: COMPOSED },
    body: { list: [COMPOSED], map: { [COMPOSED]: COMPOSED } },
  });
});

describe('null', () => {
  test('is the same as leaving out, where it has no meaning of its own', async () => {
    const sent = { list: null, map: null, cleared: null, inner: { kept: null, left: null } };
    expect(await seenBy('post', '/echo/x', sent)).toMatchObject({
      body: { cleared: null, inner: { kept: null } },
    });
    expect(Object.keys(((await seenBy('post', '/echo/x', sent)) as { body: object }).body)).toEqual([
      'cleared',
      'inner',
    ]);
  });

  test('is refused in a change of what cannot be cleared', async () => {
    const { status, body } = await request(server()).patch('/api/v1/echo/x').send({ list: null });
    expect([status, Object.keys(body.error.details)]).toEqual([400, ['list']]);
  });

  test('is the same as leaving out within what a change replaces, and refused within what it changes', async () => {
    const sent = { inner: { kept: null, left: null } };
    expect(await seenBy('patch', '/echo/x', sent)).toMatchObject({ body: { inner: { kept: null } } });
    const changed = z.object({
      part: z.object({ name: z.string(), alias: z.string().nullable() }).partial(),
    });
    const nulls = { part: { name: null, alias: null } };
    expect(replacementsWithoutNulls(changed, nulls)).toEqual(nulls);
  });

  const optionalFields = endpoints
    .filter(({ method, raw }) => method !== 'patch' && method !== 'get' && !raw)
    .flatMap((at) => fieldsOf(at).flatMap(([name, field]) => (isOptional(field) ? [{ at, name }] : [])));

  test('is taken for every optional field of every creation and action', () => {
    expect(optionalFields.length).toBeGreaterThan(100);
    const refused = optionalFields.filter(({ at, name }) =>
      issuesOf(at, withoutNulls(at.body, { [name]: null })).has(name),
    );
    expect(refused.map(({ at, name }) => `${at.method} ${at.path} ${name}`)).toEqual([]);
  });
});

describe('text without visible characters', () => {
  const requiredTexts = endpoints.flatMap((at) =>
    Object.entries(propertiesOf(at)).flatMap(([name, { pattern, type }]) =>
      type === 'string' && pattern === '\\S' ? [{ at, name }] : [],
    ),
  );

  test.each(['\u200B'.repeat(12), '\u2800'.repeat(12), '\u3164'.repeat(12), '\u2060\u00AD \uFE0F'.repeat(4)])(
    '%j is refused where text is required, in every endpoint',
    (invisible) => {
      expect(requiredTexts.length).toBeGreaterThan(20);
      const taken = requiredTexts.filter(({ at, name }) => !issuesOf(at, { [name]: invisible }).has(name));
      expect(taken.map(({ at, name }) => `${at.method} ${at.path} ${name}`)).toEqual([]);
    },
  );

  test('is no text, but visible text may have invisible characters', () => {
    expect(text({ min: 1, max: 10 }).safeParse('\u200B').success).toBe(false);
    expect(text({ min: 1, max: 10 }).parse('👩\u200D🚀')).toBe('👩\u200D🚀');
    expect(text({ max: 10 }).parse('')).toBe('');
  });
});

describe('codes that people type', () => {
  test.each([
    ['WELCOME\u2013X', 'WELCOME-X'],
    ['welcome-x\u200B', 'WELCOME-X'],
    ['ＷＥＬＣＯＭＥ－Ｘ', 'WELCOME-X'],
    [' wel come-x ', 'WELCOME-X'],
  ])('%j is read as %j', (typed, code) => {
    expect(typedCode({ max: 50 }).parse(typed)).toBe(code);
  });

  test('are compared by the database in the same form', async () => {
    const characters = [
      ...Array.from('aZ9äßé-_ .'),
      '\u2013',
      '\u2212',
      '\u200B',
      '\u0301',
      '\u200D',
      '\u{E0061}',
      '\uE000',
      '\u0007',
      '\u00AD',
      '\u00A0',
      '\u3000',
      '\uFF21',
      '\uFF0D',
      '\t',
    ];
    const typed = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((chosen) => chosen.join(''));
    const codes = fc.sample(typed, { numRuns: 300, seed: 1 });
    const found = await rows<{ key: string }>(
      database.db,
      `SELECT code_key(c) AS key FROM unnest($1::text[]) WITH ORDINALITY AS u (c, n) ORDER BY n`,
      [codes],
    );
    const keys = found.map(({ key }) => key);
    expect(keys).toEqual(codes.map(codeKey));
  });
});
