import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { perMinute } from '../../../../api/http/limits/limits';
import { connect } from '../../../../db/sql/connection';
import { execute, rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { catalogueProcesses, type CatalogueProcess } from '../page-cache/catalogue-process';
import { serverOf } from '../shop';

const database = ownDatabase();
const open = catalogueProcesses(database);
const few = endpoint({
  ...{
    method: 'get',
    path: '/few',
    auth: 'public',
    limit: perMinute(2),
    summary: 's',
    tag: 't',
    success: 200,
  },
  errors: {},
  data: z.object({}),
  handle: () => Promise.resolve({}),
});

let shop: CatalogueProcess;
beforeAll(async () => {
  await make.partner(database.db, { referralCode: 'ADA1815' });
  await make.product(database.db);
  shop = await open({ endpoints: [few] });
});
beforeEach(() => execute(database.db, 'DELETE FROM referral_touches'));

const touches = () => rows<{ id: string }>(database.db, 'SELECT id FROM referral_touches');

type Answer = Awaited<ReturnType<CatalogueProcess['get']>>;
const setBy = ({ headers }: Answer): string[] =>
  (headers['set-cookie'] as unknown as string[] | undefined) ?? [];

describe('a cached page', () => {
  const path = '/products?page=1&pageSize=2';

  test('records every visitor by a link, in any spelling, and contains no one’s cookies', async () => {
    for (let i = 0; i < 4; i++) await shop.get(path);
    for (const link of [`${path}&ref=ADA1815`, `${path}&r%65f=ADA1815`]) {
      for (let visitor = 0; visitor < 4; visitor++) {
        const answer = await shop.get(link, { 'User-Agent': `${link} ${visitor}` });
        expect(setBy(answer)[0]).toMatch(/^svc_ref_code=ADA1815;/);
        expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
        expect(answer.headers['etag']).toBeUndefined();
      }
    }
    const made = await touches();
    expect(made).toHaveLength(8);
    for (let i = 0; i < 4; i++) expect(setBy(await shop.get(path))).toEqual([]);
    expect(setBy(await shop.get(`${path}&ref=NOBODYS1`))).toEqual([]);
    expect(await touches()).toHaveLength(8);
  });

  test('is still answered from the cache', async () => {
    await shop.get(path);
    const { hit, miss } = await shop.outcomesOf(() => shop.get(`${path}&ref=ADA1815`));
    expect({ hit, miss }).toEqual({ hit: 1, miss: 0 });
  });
});

test('limits apply as usual, and a refused visitor is not recorded', async () => {
  const narrow = await open({ endpoints: [few], settings: { RATE_LIMIT_SCALE: '1' } });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++)
    statuses.push((await narrow.get('/few?ref=ADA1815', { 'User-Agent': `agent ${i}` })).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  expect(await touches()).toHaveLength(2);
});

test('without the database the page is answered, and the loss is logged', async () => {
  const db = connect({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATABASE_POOL_MAX: 2 }, 'test');
  const lines: string[] = [];
  const answer = await request(serverOf({ db, endpoints: [few], lines })).get('/api/v1/few?ref=ADA1815');
  expect([answer.status, setBy(answer)]).toEqual([200, []]);
  expect(lines.join('')).toContain('a referral could not be recorded');
  await db.sequelize.close();
});

test('no page waits long for a database that does not answer', async () => {
  const holder = connect({ DATABASE_URL: database.url, DATABASE_POOL_MAX: 2 }, 'test');
  const held = await holder.sequelize.transaction();
  await holder.sequelize.query('LOCK TABLE referral_touches IN ACCESS EXCLUSIVE MODE', { transaction: held });
  const answer = await shop.get('/few?ref=ADA1815');
  expect([answer.status, setBy(answer)]).toEqual([200, []]);
  await held.rollback();
  await holder.sequelize.close();
});
