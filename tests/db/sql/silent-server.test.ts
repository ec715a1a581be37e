import { once } from 'node:events';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { connect } from '../../../db/sql/connection';
import { isDatabaseAway } from '../../../db/sql/errors';
import { execute } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const sockets = new Set<Socket>();
afterAll(() => sockets.forEach((socket) => socket.destroy()));

/** A proxy before the database; after `swallow` it drops everything in both directions. */
async function swallowingProxy(): Promise<{ url: string; swallow: () => void; close: () => void }> {
  const real = new URL(own.url);
  let swallows = false;
  const server = createServer((near) => {
    const far = new Socket();
    far.connect(Number(real.port), real.hostname);
    near.on('data', (bytes) => swallows || far.write(bytes));
    far.on('data', (bytes) => swallows || near.write(bytes));
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(own.url);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, swallow: () => (swallows = true), close: () => server.close() };
}

test('nobody waits for ever for a database that says nothing any more', async () => {
  jest.spyOn(console, 'warn').mockReturnValue(); // Sequelize tells of every connection that is lost.
  const proxy = await swallowingProxy();
  const db = connect({ DATABASE_URL: proxy.url, DATABASE_STATEMENT_TIMEOUT_MS: 200 });
  await execute(db, 'SELECT 1');
  proxy.swallow();
  const failure: unknown = await execute(db, 'SELECT 1').catch((error: unknown) => error);
  expect(isDatabaseAway(failure)).toBe(true);
  proxy.close();
  await db.sequelize.close();
}, 10_000);
