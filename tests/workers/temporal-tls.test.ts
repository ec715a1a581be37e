import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { requireNamespace } from '../../local/temporal-server/temporal';
import { temporalConnection } from '../../api/http/temporal/temporal-connection';
import { TemporalConfig, temporalServer } from '../../db/sql/environment/temporal';
import { ConfigurationError, readVariables } from '../../db/sql/environment/variables';
import { makeAuthority, type Authority } from '../support/fakes/authority';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';

const folder = mkdtempSync(join(tmpdir(), 'temporal-tls-'));
let authority: Authority;
let temporal: TestTemporal;
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  temporal = await connectTemporal();
  authority = makeAuthority();
  for (const [name, pem] of Object.entries({ ...authority, stranger: makeAuthority().ca })) {
    writeFileSync(file(name), pem);
  }
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  rmSync(folder, { recursive: true });
  await temporal.close();
});

const file = (name: string): string => join(folder, `${name}.pem`);

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

/** The Temporal server of the tests behind TLS. */
const behindTls = (demandsCertificate: boolean): Promise<number> =>
  portOf(
    createServer(
      {
        ...{ key: authority.key, cert: authority.cert, ca: authority.ca, ALPNProtocols: ['h2'] },
        ...{ requestCert: demandsCertificate, rejectUnauthorized: demandsCertificate },
      },
      (client) => {
        const [host = '', port] = temporal.address.split(':');
        const server = connect(Number(port), host);
        sockets.add(server);
        client.pipe(server).pipe(client);
        for (const [one, other] of [
          [client, server],
          [server, client],
        ] as const)
          one.on('error', () => other.destroy());
      },
    ),
  );

const serverOf = (variables: Record<string, string>) =>
  temporalServer(readVariables(TemporalConfig, variables));

/** True if the API and a worker reach the server. */
async function isReached(variables: Record<string, string>): Promise<boolean> {
  const server = serverOf(variables);
  try {
    const forWorkers = await NativeConnection.connect(server);
    await forWorkers.close();
  } catch {
    return false;
  }
  const forApi = temporalConnection(server);
  try {
    await forApi.workflowService.getSystemInfo({});
    return true;
  } finally {
    await forApi.close();
  }
}

test('a server with TLS is reached by those who trust its certificate', async () => {
  const TEMPORAL_ADDRESS = `127.0.0.1:${await behindTls(false)}`;
  expect(await isReached({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: file('ca') })).toBe(true);
  expect(
    await isReached({
      TEMPORAL_ADDRESS,
      TEMPORAL_TLS_CA: file('ca'),
      TEMPORAL_TLS_SERVER_NAME: 'provider.test',
    }),
  ).toBe(true);
  expect(await isReached({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: file('stranger') })).toBe(false);
  expect(await isReached({ TEMPORAL_ADDRESS, TEMPORAL_TLS: 'true' })).toBe(false);
  expect(await isReached({ TEMPORAL_ADDRESS })).toBe(false);
});

test('a server that demands a certificate gets it', async () => {
  const known = { TEMPORAL_ADDRESS: `127.0.0.1:${await behindTls(true)}`, TEMPORAL_TLS_CA: file('ca') };
  const own = { TEMPORAL_TLS_CERT: file('cert'), TEMPORAL_TLS_KEY: file('key') };
  expect(await isReached({ ...known, ...own })).toBe(true);
  expect(await isReached(known)).toBe(false);
});

test('the launcher reaches it likewise, and says why it does not', async () => {
  const TEMPORAL_ADDRESS = `127.0.0.1:${await behindTls(false)}`;
  const trusting = serverOf({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: file('ca') });
  await expect(requireNamespace(trusting, temporal.namespace)).resolves.toBeUndefined();
  await expect(requireNamespace(trusting, 'none')).rejects.toThrow(/namespace/i);
  const distrusting = serverOf({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: file('stranger') });
  await expect(requireNamespace(distrusting, temporal.namespace)).rejects.toThrow(/certificate/);
});

test('a key is sent over TLS', async () => {
  const keys: unknown[] = [];
  const cloud = createSecureServer({ key: authority.key, cert: authority.cert });
  cloud.on('stream', (stream, { authorization }) => {
    keys.push(authorization);
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7' },
      { endStream: true },
    );
  });
  const TEMPORAL_ADDRESS = `127.0.0.1:${await portOf(cloud)}`;
  const server = serverOf({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: file('ca'), TEMPORAL_API_KEY: 'k-1' });
  await expect(Connection.connect(server)).rejects.toThrow();
  expect(keys[0]).toBe('Bearer k-1');
});

test.each<[string, Record<string, string>]>([
  ['TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY are required together', { TEMPORAL_TLS_CERT: 'cert' }],
  ['TEMPORAL_TLS must not be false with TEMPORAL_API_KEY', { TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'k' }],
  ['TEMPORAL_TLS_CA must name a file that can be read', { TEMPORAL_TLS_CA: '/nowhere' }],
  ['TEMPORAL_TLS_CA must name a file in PEM', { TEMPORAL_TLS_CA: __filename }],
])('%s', (message, variables) => {
  const files = Object.entries(variables).map(([name, value]) => [
    name,
    value === 'cert' ? file('cert') : value,
  ]);
  const read = () => serverOf(Object.fromEntries(files) as Record<string, string>);
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(message);
});

test('without any of it the server is reached in the clear', () => {
  expect(serverOf({ TEMPORAL_ADDRESS: 'temporal:7233' })).toEqual({ address: 'temporal:7233' });
});
