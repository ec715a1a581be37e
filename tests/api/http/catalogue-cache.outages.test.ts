import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net';
import { execute, rows } from '../../../db/sql';
import { ownDatabase } from '../../support/database';
import { make } from '../../support/make';
import { cataloguesOver, listening, seenInTime } from './catalogue-process';

const database = ownDatabase();
const open = cataloguesOver(database);
let id = '';
beforeEach(async () => {
  ({ id } = await make.product(database.db));
});

const path = () => `/products/${id}`;
const setPrice = (minor: number) => `UPDATE products SET price_minor = ${minor} WHERE id = '${id}'`;
const cutListeners = () =>
  rows(
    database.db,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'catalogue' AND datname = current_database()`,
  );

/** Between a listener and the database: it can go silent, as a network does that drops what it is given. */
async function silenceableProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!silent) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!silent) to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    silence: () => (silent = true),
    speak: () => (silent = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it('a lost connection: what changes meanwhile is seen, and pages are kept again after it', async () => {
  const shop = await open();
  for (let round = 1; round <= 5; round++) {
    await shop.get(path());
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
    await cutListeners();
    await shop.change(setPrice(round * 100));
    for (let i = 0; i < 10; i++) expect((await shop.get(path())).body.data.price).toBe(round);
    await listening(shop.pages);
    await shop.get(path());
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
    expect((await shop.get(path())).body.data.price).toBe(round);
  }
});

it('a lost connection: what another process changed is seen within a second', async () => {
  const shop = await open();
  for (let round = 1; round <= 5; round++) {
    await shop.get(path());
    await cutListeners();
    await execute(database.db, setPrice(round * 1_000));
    await seenInTime(async () => (await shop.get(path())).body.data.price, round * 10);
    await listening(shop.pages);
  }
});

it('a connection that went silent: it is found out, and nothing old is served after that', async () => {
  const proxy = await silenceableProxy(database.url);
  const shop = await open({ listenAt: proxy.url });
  await shop.get(path());
  await listening(shop.pages);
  proxy.silence();
  await execute(database.db, setPrice(4_200));
  await seenInTime(async () => (await shop.get(path())).body.data.price, 42);
  expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ bypass: 1 });
  expect((await shop.get(path())).body.data.price).toBe(42);

  proxy.speak();
  await listening(shop.pages);
  await shop.get(path());
  expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
  await shop.change(setPrice(100));
  expect((await shop.get(path())).body.data.price).toBe(1);
  proxy.close();
});

it('a database that is away when the process begins: pages come as soon as it is there', async () => {
  const proxy = await silenceableProxy(database.url);
  proxy.silence();
  const opening = open({ listenAt: proxy.url });
  await make.product(database.db);
  proxy.speak();
  const shop = await opening;
  await shop.get(path());
  expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
  proxy.close();
});
