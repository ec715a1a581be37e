import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeApi } from '../../../api/docs/document';
import { listCategories } from '../../../api/categories/list';
import { resolveSchemathesis } from '../../support/tools/schemathesis';
import { fuzzSet } from '../config';
import { fuzz } from '../run';

const called = [listCategories];
const document = JSON.stringify(describeApi(called));

let server: Server;
afterEach(() => new Promise((closed) => server.close(closed)));

/** A server with the document of our API that answers everything else in one way. */
async function liar(status: number, body: string, type = 'application/json'): Promise<string> {
  server = createServer((req, res) => {
    const isDocument = req.url === '/api/docs/openapi.json';
    res.writeHead(isDocument ? 200 : status, { 'content-type': isDocument ? 'application/json' : type });
    res.end(isDocument ? document : body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['a server error', 500, '{"success":false,"error":{"code":"X","message":"x"}}', 'Server error'],
  ['a status that is not documented', 418, '{}', 'Undocumented status code'],
  ['an answer that is not as its schema', 200, '{"success":true,"data":{}}', 'Response violates schema'],
  [
    'nonsense that is taken',
    200,
    '{"success":true,"data":{"categories":[]}}',
    'Schema-violating request accepted',
  ],
])(
  '%s is found',
  async (_, status, body, title) => {
    const tool = await resolveSchemathesis((line) => void process.stderr.write(`${line}\n`));
    const fuzzed = { world: { url: await liar(status, body) }, dictionaries: { ids: ['1'] } };
    const role = { name: 'anonymous', token: null, leaverToken: null } as const;
    const { report } = await fuzz(fuzzed, role, { tool, set: fuzzSet(), called });
    expect(report.failures.map((failure) => failure.title)).toContain(title);
  },
  10 * 60_000,
);
