import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { catalogueProcesses, type CatalogueProcess } from './catalogue-process';
import { gate } from '../shop';

const database = ownDatabase();
const open = catalogueProcesses(database);

/** Reads the database and then waits, like a slow answer. */
let delay: Promise<void> = Promise.resolve();
let reads = 0;
const slow = endpoint({
  ...{ method: 'get', path: '/slow', auth: 'public', limit: generalLimit, summary: 's', tag: 't' },
  success: 200,
  errors: {},
  cached: true,
  data: z.object({ name: z.string() }),
  async handle(_input, { db }) {
    const row = await firstRow<{ name: string }>(db, 'SELECT name FROM categories ORDER BY id LIMIT 1');
    reads++;
    await delay;
    return { name: row?.name ?? '' };
  },
});

let shop: CatalogueProcess;
beforeAll(async () => {
  await make.category(database.db);
  shop = await open({ endpoints: [slow] });
});

it('a preparation that began before a change is not joined after it', async () => {
  const { passed, open: goOn } = gate();
  delay = passed;
  reads = 0;
  const early = shop.get('/slow');
  await eventually(() => expect(reads).toBe(1));
  await shop.change(`UPDATE categories SET name = 'Changed meanwhile'`);
  const late = shop.get('/slow');
  await eventually(() => expect(reads).toBe(2));
  goOn();
  expect((await early).body.data.name).not.toBe('Changed meanwhile');
  expect((await late).body.data.name).toBe('Changed meanwhile');
  expect((await shop.get('/slow')).body.data.name).toBe('Changed meanwhile');
  expect(reads).toBe(2);
});

it('a preparation that began before a change is not cached', async () => {
  const { passed, open: goOn } = gate();
  await shop.change(`UPDATE categories SET name = 'Old'`);
  delay = passed;
  reads = 0;
  const early = shop.get('/slow');
  await eventually(() => expect(reads).toBe(1));
  await shop.change(`UPDATE categories SET name = 'New'`);
  await shop.get('/categories');
  goOn();
  expect((await early).body.data.name).toBe('Old');
  expect((await shop.get('/slow')).body.data.name).toBe('New');
});
