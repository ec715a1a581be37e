import { execute, firstRow, rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { proxyTo } from './catalogue-proxy';
import { catalogueProcesses, listening, answeredWithinASecond } from './catalogue-process';

const database = ownDatabase();
const open = catalogueProcesses(database);
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

it('a lost connection: changes in the meantime are seen, and pages are cached again after it', async () => {
  const shop = await open();
  for (let round = 1; round <= 5; round++) {
    await shop.get(path());
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
    await cutListeners();
    await shop.change(setPrice(round * 100));
    for (let i = 0; i < 10; i++) expect((await shop.get(path())).body.data.price).toBe(round);
    await listening(shop.cache);
    await shop.get(path());
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
    expect((await shop.get(path())).body.data.price).toBe(round);
  }
});

it('a lost connection: a change of another process is seen within a second', async () => {
  const shop = await open();
  for (let round = 1; round <= 5; round++) {
    await shop.get(path());
    await cutListeners();
    await execute(database.db, setPrice(round * 1_000));
    await answeredWithinASecond(async () => (await shop.get(path())).body.data.price, round * 10);
    await listening(shop.cache);
  }
});

it('a silent connection is detected, and no outdated page is served after that', async () => {
  const proxy = await proxyTo(database.url);
  const shop = await open({ listenAt: proxy.url });
  await shop.get(path());
  await listening(shop.cache);
  proxy.silence();
  await execute(database.db, setPrice(4_200));
  await answeredWithinASecond(async () => (await shop.get(path())).body.data.price, 42);
  expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ bypass: 1 });
  expect((await shop.get(path())).body.data.price).toBe(42);

  proxy.speak();
  await listening(shop.cache);
  await shop.get(path());
  expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
  await shop.change(setPrice(100));
  expect((await shop.get(path())).body.data.price).toBe(1);
  proxy.close();
});

it('lost announcements: a process sees its own changes at once, another one within a second', async () => {
  const { body } = (await firstRow<{ body: string }>(
    database.db,
    `SELECT pg_get_functiondef('announce_catalogue_change'::regproc) AS body`,
  ))!;
  const withoutNotify = body.replace(/PERFORM pg_notify[^;]+;/, '');
  expect(withoutNotify).not.toBe(body);
  await database.owner.sequelize.query(withoutNotify);
  const [shop, other] = [await open(), await open()];
  for (let round = 1; round <= 3; round++) {
    await Promise.all([shop.get(path()), other.get(path())]);
    await shop.change(setPrice(round * 500));
    expect((await shop.get(path())).body.data.price).toBe(round * 5);
    await answeredWithinASecond(async () => (await other.get(path())).body.data.price, round * 5);
  }
  await database.owner.sequelize.query(body);
});

it('a read of changes that began before a change does not hide it', async () => {
  const proxy = await proxyTo(database.url);
  const shop = await open({ listenAt: proxy.url });
  for (let i = 0; i < 2; i++) await shop.get(path());
  proxy.hold();
  shop.cache.markStale();
  const before = shop.get(path());
  await eventually(() => expect(proxy.heldBytes()).toBeGreaterThan(0));
  await shop.change(setPrice(700));
  const after = shop.get(path());
  const arrived = jest.spyOn(shop.cache, 'cachedPage');
  await eventually(() => expect(arrived).toHaveBeenCalled());
  proxy.speak();
  await before;
  expect((await after).body.data.price).toBe(7);
  proxy.close();
});

it('a database that is unavailable at the start: pages are answered as soon as it is available', async () => {
  const proxy = await proxyTo(database.url);
  proxy.silence();
  const opening = open({ listenAt: proxy.url });
  await make.product(database.db);
  proxy.speak();
  const shop = await opening;
  await shop.get(path());
  expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
  proxy.close();
});
