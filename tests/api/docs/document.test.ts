import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeApi } from '../../../api/docs/document';
import { endpoints } from '../../../api/endpoints';
import { errorsOf, takesKey } from '../../../api/http/answer/errors';
import type { Endpoint } from '../../../api/http/endpoint';

describe('the document', () => {
  interface Media {
    schema: object;
    example?: { success?: boolean; data?: unknown; meta?: unknown };
    examples?: Record<string, { value: { success: boolean; error: { code: string } } }>;
  }

  interface Operation {
    security: object[];
    parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[];
    requestBody?: { required: boolean; content: Record<string, Media> };
    responses: Record<
      string,
      { headers: object; content: { 'application/json': Media }; 'x-error-codes'?: string[] }
    >;
    'x-rate-limit': object;
  }

  // The document as callers get it, after JSON serialisation.
  const document = JSON.parse(JSON.stringify(describeApi(endpoints)));
  const pathOf = ({ path }: Endpoint) => `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
  /** The target of a reference; anything else as it is. */
  const resolved = <T extends object>(part: T): T => {
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec((part as { $ref?: string }).$ref ?? '') ?? [];
    return kind === undefined ? part : document.components[kind][name!];
  };
  const operationOf = (endpoint: Endpoint): Operation => {
    const operation: Operation = document.paths[pathOf(endpoint)][endpoint.method];
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      resolved(response),
    ]);
    return { ...operation, responses: Object.fromEntries(responses) };
  };
  const each = endpoints.map((endpoint) => ({
    name: `${endpoint.method.toUpperCase()} ${endpoint.path}`,
    endpoint,
    operation: operationOf(endpoint),
  }));

  /** The validator runs as a separate program, because jest cannot load its package. */
  function validate(described: object): { valid: boolean; errors?: unknown } {
    const program = join(
      dirname(require.resolve('@seriousme/openapi-schema-validator')),
      'bin/validate-api-cli.js',
    );
    const dir = mkdtempSync(join(tmpdir(), 'openapi-'));
    writeFileSync(join(dir, 'openapi.json'), JSON.stringify(described));
    const { stdout } = spawnSync(process.execPath, [program, join(dir, 'openapi.json')], {
      encoding: 'utf8',
    });
    rmSync(dir, { recursive: true });
    return JSON.parse(stdout);
  }

  test('it is valid OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(validate(document)).toEqual({ valid: true });
    expect(validate({ ...document, info: { title: 'no version' } }).valid).toBe(false);
  });

  test('every reference has a target', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    const lost = references.filter(([, kind, name]) => document.components[kind!]?.[name!] === undefined);
    expect(lost.map(([reference]) => reference)).toEqual([]);
  });

  test('it keeps to what generators of all languages read', () => {
    const unportable: string[] = [];
    const walk = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return;
      const { pattern, anyOf, type } = part as {
        pattern?: unknown;
        type?: unknown;
        anyOf?: { $ref?: string; type?: string; enum?: [] }[];
      };
      if (typeof pattern === 'string' && /\(\?<?[=!]|\\[pP]\{/.test(pattern))
        unportable.push(`${path}: ${pattern}`);
      const isNullable = Array.isArray(anyOf) && anyOf.some(({ type }) => type === 'null');
      if (isNullable && anyOf.every((option) => !option.$ref && !option.enum && !('const' in option)))
        unportable.push(`${path}: null as an alternative`);
      if (Array.isArray(type) && type.filter((name) => name !== 'null').length > 1)
        unportable.push(`${path}: several types`);
      if (type === 'null' && !/\/anyOf\/\d+$/.test(path)) unportable.push(`${path}: only null`);
      if ('const' in part && typeof part.const === 'boolean') unportable.push(`${path}: a constant boolean`);
      if (type === 'number' && 'enum' in part) unportable.push(`${path}: a list of whole numbers`);
      if (anyOf?.some((option) => Object.keys(option).join() === 'required'))
        unportable.push(`${path}: alternatives of required fields`);
      for (const [name, inner] of Object.entries(part))
        if (name !== 'example') walk(inner, `${path}/${name}`);
    };
    walk(document, '');
    expect(unportable).toEqual([]);
  });

  test('answers may get more fields, and whether it was done is a plain boolean', () => {
    const answers = Object.values<Record<string, Operation>>(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ responses }) => Object.values(responses)),
    );
    const closed = JSON.stringify([answers, document.components]).match(/"additionalProperties":false/g);
    expect(closed).toBeNull();
    const { properties } =
      document.paths['/api/v1/products'].get.responses['200'].content['application/json'].schema;
    expect(properties.success).toEqual({
      type: 'boolean',
      description: 'Always true: the request was done.',
      example: true,
    });
  });

  test('it describes exactly the served endpoints', () => {
    const described = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(
      endpoints.map((endpoint) => `${endpoint.method} ${pathOf(endpoint)}`).sort(),
    );
  });

  describe.each(each)('$name', ({ endpoint, operation }) => {
    test('names every status with its error codes, each with an example', () => {
      const expected: Partial<Record<string, string[]>> = {};
      for (const [code, status] of Object.entries(errorsOf(endpoint))) (expected[status] ??= []).push(code);
      const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(
        Object.fromEntries(refusals.map(([status, response]) => [status, response['x-error-codes']])),
      ).toEqual(expected);
      for (const [, { content, 'x-error-codes': codes }] of refusals) {
        const examples = Object.values(content['application/json'].examples ?? {}).map(({ value }) => value);
        expect(examples.map(({ success, error }) => ({ success, code: error.code }))).toEqual(
          codes!.map((code) => ({ success: false, code })),
        );
      }
      const successes = Object.keys(operation.responses).filter((status) => Number(status) < 303);
      expect(successes.map(Number).sort()).toEqual([...endpoint.success].sort());
    });

    test('documents the 304 of a cacheable answer', () => {
      const isCacheable =
        endpoint.method === 'get' &&
        endpoint.success.includes(200) &&
        ['public', 'optional'].includes(endpoint.auth);
      const parameters = (operation.parameters ?? []).filter(({ $ref }) => $ref?.endsWith('/If-None-Match'));
      expect(parameters).toHaveLength(isCacheable ? 1 : 0);
      expect(Object.keys(operation.responses).includes('304')).toBe(isCacheable);
      expect('ETag' in operation.responses[endpoint.success[0]]!.headers).toBe(isCacheable);
    });

    test('shows examples that are valid under its own schemas', () => {
      for (const status of endpoint.success) {
        const { content, headers } = operation.responses[status]!;
        if (endpoint.produces) {
          const isText = endpoint.produces === 'text/csv';
          const schema = { type: 'string', ...(!isText && { format: 'binary' }) };
          expect(content).toEqual(
            Object.fromEntries([endpoint.produces].flat().map((type) => [type, { schema }])),
          );
          expect(Object.keys(headers)).toContain('Content-Disposition');
          continue;
        }
        const { example } = content['application/json'];
        expect({
          success: example?.success,
          fits: endpoint.data.safeParse(example?.data).error?.issues,
        }).toEqual({
          success: true,
          fits: undefined,
        });
        expect(example?.meta !== undefined).toBe(endpoint.paginated === true);
      }
      if (operation.requestBody && !endpoint.upload) {
        const type = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
        expect(Object.keys(operation.requestBody.content)).toEqual([type]);
        const { example } = operation.requestBody.content[type]!;
        expect(example).toBeDefined();
        expect(endpoint.body.safeParse(example).error?.issues).toBeUndefined();
      }
    });

    test('documents an uploaded file as a form', () => {
      const content = operation.requestBody?.content ?? {};
      const forms = Object.keys(content).filter((type) => type === 'multipart/form-data');
      expect(forms).toHaveLength(endpoint.upload ? 1 : 0);
      if (endpoint.upload)
        expect(Object.values<Media>(content).map(({ schema }) => resolved(schema))).toMatchObject([
          { properties: { [endpoint.upload.field]: { type: 'string', format: 'binary' } } },
        ]);
    });

    test('documents authentication, limits and the Idempotency-Key', () => {
      const signedIn = [{ bearer: [] }, { cookie: [] }];
      const expected = { public: [], optional: [{}, ...signedIn] }[endpoint.auth as string] ?? signedIn;
      expect(operation.security).toEqual(expected);
      const { requests, perSeconds } = endpoint.limit;
      expect(operation['x-rate-limit']).toMatchObject({ requests, perSeconds });
      const ok = operation.responses[endpoint.success[0]]!;
      expect(Object.keys(ok.headers)).toEqual(
        expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Reset']),
      );
      expect('X-RateLimit-Policy' in ok.headers).toBe(endpoint.limit.financial === true);
      expect(Object.keys(operation.responses['429']!.headers)).toContain('Retry-After');
      const keys = (operation.parameters ?? []).filter(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
      expect(keys).toHaveLength(takesKey(endpoint) ? 1 : 0);
    });

    test('documents every parameter of its path', () => {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(inPath.map(({ name, required }) => ({ name, required }))).toEqual(
        names.map((name) => ({ name, required: true })),
      );
    });
  });

  test('no example is the word “text”', () => {
    expect([...JSON.stringify(document).matchAll(/.{60}[:[,]"text\.*"/g)].map(([place]) => place)).toEqual(
      [],
    );
  });

  test('numbers and booleans in a query are documented as such', () => {
    const parameters = Object.fromEntries(
      (document.paths['/api/v1/products'].get as Operation).parameters!.map(({ name, schema }) => [
        name,
        schema,
      ]),
    );
    expect(parameters).toMatchObject({
      page: { type: 'integer', minimum: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      minPrice: { type: 'number', minimum: 0 },
      categoryId: { type: 'string', format: 'uuid' },
    });
  });

  test('the example of a login is the demo buyer, so that the page can be tried at once', () => {
    const { example } = document.paths['/api/v1/auth/login'].post.requestBody.content['application/json'];
    expect(example).toEqual({ email: 'buyer@example.com', password: 'Buyer-demo-1!' });
  });
});
