import { runInNewContext } from 'node:vm';
import express from 'express';
import supertest from 'supertest';
import { authEndpoints } from '../../../api/auth';
import { BARE_PATHS, docsPages, docsPointer } from '../../../api/docs';
import { describeApi } from '../../../api/docs/document';
import { sameForEveryone } from '../../../api/docs/representation';

const http = supertest(express().use('/api/docs', docsPages(authEndpoints)));

test('what could not be made is made at the next request, and then kept', async () => {
  let tries = 0;
  const flaky = sameForEveryone('json', () =>
    ++tries === 1 ? Promise.reject(new Error('no file')) : Promise.resolve('{}'),
  );
  const server = supertest(express().use(flaky));
  const statuses = [await server.get('/'), await server.get('/'), await server.get('/')];
  expect(statuses.map(({ status }) => status)).toEqual([500, 200, 200]);
  expect(tries).toBe(2);
});

test('the codes of the document are those that callers can see', () => {
  const { schemas } = describeApi(authEndpoints).components ?? {};
  expect(schemas?.['ErrorCode']).toMatchObject({
    enum: expect.not.arrayContaining(['ABANDONED']) as string[],
  });
});

describe('the pages', () => {
  test('the URL without the final slash redirects to the page', async () => {
    const { status, headers } = await http.get('/api/docs?x=1');
    expect({ status, location: headers['location'] }).toEqual({ status: 308, location: '/api/docs/' });
  });

  test('the page allows no foreign and no inline content', async () => {
    const { status, headers, text } = await http.get('/api/docs/');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self';",
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).not.toMatch(/https?:|<script>|<style|style=|onload=/);
  });

  test('the files that the page loads exist', async () => {
    const { text } = await http.get('/api/docs/');
    const names = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name);
    expect(names).toEqual(['swagger-ui.css', 'favicon-32x32.png', 'swagger-ui-bundle.js', 'start.js']);
    for (const name of names) {
      const { status } = await http.get(`/api/docs/${name}`);
      expect({ name, status }).toEqual({ name, status: 200 });
    }
  });

  test.each(['index.html', 'package.json', 'swagger-initializer.js', '..%2fpackage.json'])(
    'nothing else of the package is served: %s',
    async (name) => {
      expect((await http.get(`/api/docs/${name}`)).status).toBe(404);
    },
  );
});

describe('the document over HTTP', () => {
  const url = '/api/docs/openapi.json';

  test('every origin may read it', async () => {
    const { status, headers, body } = await http.get(url);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(body).toEqual(JSON.parse(JSON.stringify(describeApi(authEndpoints))));
  });

  test('it is compressed for clients that take it, and plain for others', async () => {
    const bytesOf = (encoding: string) => http.get(url).set('Accept-Encoding', encoding);
    const plain = await bytesOf('identity');
    const zipped = await bytesOf('br;q=1, gzip;q=0.5');
    const refused = await bytesOf('gzip;q=0');
    expect([plain, zipped, refused].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      undefined,
    ]);
    expect([plain, zipped].map(({ headers }) => headers['vary'])).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect(zipped.headers['etag']).toBe(plain.headers['etag']);
    expect(zipped.body).toEqual(plain.body);
    const [length = 0, zippedLength = 0] = [plain, zipped].map(({ headers }) =>
      Number(headers['content-length']),
    );
    expect(zippedLength * 5).toBeLessThan(length);
  });

  test('a client that has it gets 304', async () => {
    const { headers } = await http.get(url);
    const again = await http.get(url).set('If-None-Match', headers['etag']!);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await http.get(url).set('If-None-Match', 'W/"another"')).status).toBe(200);
  });
});

describe('the script of the page', () => {
  interface Sent {
    method: string;
    headers: Record<string, string>;
    credentials?: string;
  }

  /** The options with which the page starts Swagger UI. */
  async function options(crypto: object = globalThis.crypto) {
    let given: Record<string, unknown> = {};
    const SwaggerUIBundle = (passed: Record<string, unknown>) => void (given = passed);
    const { text } = await http.get('/api/docs/start.js');
    runInNewContext(text, { window: { crypto }, SwaggerUIBundle, Object });
    return { ...given, send: given['requestInterceptor'] as (request: Sent) => Sent };
  }

  test('keeps the token, filters groups and shows limits', async () => {
    expect(await options()).toMatchObject({ persistAuthorization: true, filter: true, showExtensions: true });
  });

  test('gives each POST another Idempotency-Key, and none to what brings one or needs none', async () => {
    const { send } = await options();
    const keys = [1, 2].map(() => send({ method: 'POST', headers: {} }).headers['Idempotency-Key']);
    expect(keys).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(keys[0]).not.toBe(keys[1]);
    expect(send({ method: 'POST', headers: { 'idempotency-key': 'mine' } }).headers).toEqual({
      'idempotency-key': 'mine',
    });
    expect(send({ method: 'GET', headers: {} })).toEqual({ method: 'GET', headers: {}, credentials: 'omit' });
    const { send: sendInsecurely } = await options({});
    expect(sendInsecurely({ method: 'POST', headers: {} }).headers).toEqual({});
  });
});

describe('bare addresses', () => {
  const pointed = supertest(express().get([...BARE_PATHS], docsPointer));

  test.each(['/', '/api', '/api/', '/api/v1', '/api/v1/'])('%s leads to the documentation', async (path) => {
    const { status, headers } = await pointed.get(path);
    expect([status, headers['location']]).toEqual([302, '/api/docs/']);
  });

  test('nothing else does', async () => {
    expect((await pointed.get('/api/v1/nothing')).status).toBe(404);
    expect((await pointed.get('/apis')).status).toBe(404);
    expect((await pointed.post('/api/v1')).status).toBe(404);
  });
});
