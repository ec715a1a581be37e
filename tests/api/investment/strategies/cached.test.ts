import supertest from 'supertest';
import { investmentEndpoints } from '../../../../api/investment';
import {
  countBegun,
  countEnded,
  reserveCapacity,
} from '../../../../db/investment/strategy/strategy-capacity.transitions';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';
import {
  answeredWithinASecond,
  catalogueProcesses,
  type CatalogueProcess,
} from '../../http/page-cache/catalogue-process';
import { serverOf } from '../../http/shop';

const database = ownDatabase();
const open = catalogueProcesses(database);
const id = { busy: '', other: '', category: '', otherCategory: '', document: '' };
let shop: CatalogueProcess;

beforeAll(async () => {
  id.category = (await make.strategyCategory(database.db)).id;
  id.otherCategory = (await make.strategyCategory(database.db)).id;
  const capacity = { totalCapacityMinor: 1_000_000_00 };
  id.busy = (await make.strategy(database.db, { categoryId: id.category, ...capacity })).id;
  id.other = (await make.strategy(database.db, { categoryId: id.otherCategory, ...capacity })).id;
  id.document = await make.strategyDocument(database.db, id.busy);
  await make.product(database.db);
  shop = await open({ endpoints: investmentEndpoints });
});

const views = () => [
  '/investment/strategies',
  '/investment/strategies?sortBy=popularity',
  '/investment/strategies?sortBy=returnRate&status=ACTIVE',
  `/investment/strategies?categoryId=${id.otherCategory}`,
  `/investment/strategies/${id.busy}`,
  `/investment/strategies/${id.other}`,
  '/investment/categories',
  '/investment/strategies/categories',
];

const all = () => Promise.all(views().map(async (path) => (await shop.get(path)).text));

/** Every view as it is, from a server without a cache. */
async function truth(): Promise<string[]> {
  const server = serverOf({ db: database.db, endpoints: investmentEndpoints });
  return Promise.all(views().map(async (path) => (await supertest(server).get(`/api/v1${path}`)).text));
}

const strategy = (set: string, of = id.busy) => `UPDATE investment_strategies SET ${set} WHERE id = '${of}'`;

const changes: [string, () => string][] = [
  ['a rate', () => strategy('return_expected_bp = 700')],
  ['a status', () => strategy(`status = 'PAUSED'`)],
  ['a category of a strategy', () => strategy(`category_id = '${id.otherCategory}'`)],
  ['capacity', () => strategy('reserved_minor = reserved_minor + 100')],
  ['what was invested', () => strategy('total_invested_minor = 500, total_participants = 1', id.other)],
  ['the number that runs', () => strategy('active_participations = 7')],
  ['a return by month', () => strategy(`historical_returns = '[{"period": "2026-10", "return": 1.5}]'`)],
  ['a picture', () => strategy(`image_url = 'https://x.example/p'`)],
  [
    'a document’s name',
    () => `UPDATE investment_strategy_documents SET name = 'New' WHERE id = '${id.document}'`,
  ],
  ['a document that goes', () => `DELETE FROM investment_strategy_documents WHERE id = '${id.document}'`],
  [
    'a category’s name',
    () => `UPDATE investment_categories SET name = 'Renamed' WHERE id = '${id.category}'`,
  ],
  [
    'a category that is switched off',
    () => `UPDATE investment_categories SET is_active = false WHERE id = '${id.category}'`,
  ],
  ['a strategy that goes', () => `DELETE FROM investment_strategies WHERE id = '${id.other}'`],
];

test('after the first request every page comes from the cache, also with a token', async () => {
  await all();
  const outcomes = await shop.outcomesOf(async () => {
    await all();
    await shop.get(views()[0]!, { authorization: 'Bearer someone' });
  });
  expect(outcomes).toEqual({ hit: views().length + 1, joined: 0, miss: 0, bypass: 0 });
});

test('somebody who takes part makes the pages stale that show it, and no others', async () => {
  const { id: userId } = await make.user(database.db);
  const { id: participation } = await make.participation(database.db, { strategyId: id.busy, userId });
  await eventually(async () => {
    expect(await all()).toEqual(await truth());
  });
  const path = `/investment/strategies/${id.busy}`;
  const capacity = async () => (await shop.get(path)).body.data.investment.availableCapacity as number;
  const before = await capacity();
  const misses = async (work: () => Promise<unknown>, seen: () => Promise<unknown>, expected: unknown) =>
    (
      await shop.outcomesOf(async () => {
        await work();
        await answeredWithinASecond(seen, expected);
        await all();
        await shop.get('/products');
      })
    ).miss;
  await shop.get('/products');

  const inside = <Result>(work: (tx: Parameters<typeof reserveCapacity>[0]) => Promise<Result>) =>
    inTransaction(database.db, work);
  // Its own page.
  const reserved = () => inside((tx) => reserveCapacity(tx, id.busy, 100_00));
  expect(await misses(reserved, capacity, before - 100)).toBe(1);
  // Its own page and the three lists that show it; not the list of the other category.
  const begun = { strategyId: id.busy, userId, amountMinor: 100_00, id: participation };
  const running = async () => (await shop.get(path)).body.data.popularity.activeParticipations as number;
  const [started] = [await running()];
  expect(await misses(() => inside((tx) => countBegun(tx, begun)), running, started + 1)).toBe(4);
  const ended = () => inside((tx) => countEnded(tx, id.busy, 100_00));
  expect(await misses(ended, running, started)).toBe(1);
});

test.each(changes)('a change of %s is seen by the next request', async (_what, change) => {
  const before = await all();
  expect(await shop.outcomesOf(all)).toMatchObject({ miss: 0, bypass: 0 });
  await shop.change(change());
  const after = await all();
  expect(after).toEqual(await truth());
  expect(after).not.toEqual(before);
});
