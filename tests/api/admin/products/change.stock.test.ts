import { releaseStock, reserveStock } from '../../../../db/catalog/stock/stock.transitions';
import { firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { violations } from '../../../support/checks/violations';
import { make } from '../../../support/builders/make';
import { startAdminWorld, type AdminWorld } from '../admin-world';
import { auditsOf, movementsOf, outcomes } from './product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

const change = (id: string, body: object) => adminWorld.ask('patch', `/admin/products/${id}`, body);
const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

test('each count is a movement with a reference, and the audit record says from what to what', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: 5 });
  for (const stockQuantity of [9, 2, 0]) await change(id, { stockQuantity });
  const movements = await movementsOf(adminWorld.world.db, id);
  expect(movements.map(({ kind, availableDelta }) => [kind, availableDelta])).toEqual([
    ['INITIAL', 5],
    ['ADJUST', 4],
    ['ADJUST', -7],
    ['ADJUST', -2],
  ]);
  expect(new Set(movements.map(({ reference }) => reference)).size).toBe(4);
  expect(movements.at(-1)!.reference).toMatch(new RegExp(`^count:${adminWorld.admin.id}:`));
  expect((await auditsOf(adminWorld.world.db, id)).map(({ previous, next }) => [previous, next])).toEqual([
    [{ stockQuantity: 5 }, { stockQuantity: 9 }],
    [{ stockQuantity: 9 }, { stockQuantity: 2 }],
    [{ stockQuantity: 2 }, { stockQuantity: 0 }],
  ]);
  expect(await shop(id)).toMatchObject({ stockQuantity: 0, status: 'OUT_OF_STOCK' });
});

test('the first count begins the history of movements, and limits the sale', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: null });
  await change(id, { stockQuantity: 7 });
  expect(await movementsOf(adminWorld.world.db, id)).toMatchObject([{ kind: 'INITIAL', availableDelta: 7 }]);
  expect(await shop(id)).toMatchObject({ stockQuantity: 7, trackInventory: true });
});

test('it is the stock of the product itself; visitors see it together with that of its variants', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: 5 });
  await make.variant(adminWorld.world.db, id, { stock: 4 });
  await change(id, { stockQuantity: 1 });
  expect(await shop(id)).toMatchObject({ stockQuantity: 5, variants: [{ stockQuantity: 4 }] });
});

test('many counts at once are each a whole movement', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: null });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => change(id, { stockQuantity: 10 + i })),
  );
  expect(outcomes(answers)).toEqual({ '200': 12 });
  const kinds = (await movementsOf(adminWorld.world.db, id)).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual([...Array.from({ length: 11 }, () => 'ADJUST'), 'INITIAL']);
});

test('raced by orders: every unit is sold once, or counted', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: 40 });
  const sells = (n: number) =>
    inTransaction(adminWorld.world.db, (tx) =>
      reserveStock(tx, [{ stockItemId: item, quantity: 1 }], `test:${n}`, new Date().toISOString()),
    );
  const item = (await firstRow<{ id: string }>(
    adminWorld.world.db,
    'SELECT id FROM stock_items WHERE product_id = $1',
    [id],
  ))!.id;
  await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => sells(n)),
    ...Array.from({ length: 5 }, (_, n) => change(id, { stockQuantity: 20 + n })),
  ]);
  const movements = await movementsOf(adminWorld.world.db, id);
  const sum = movements.reduce((all, { availableDelta }) => all + availableDelta, 0);
  expect((await shop(id)).stockQuantity).toBe(sum);
  expect(movements.filter(({ kind }) => kind === 'RESERVE')).toHaveLength(10);
  await inTransaction(adminWorld.world.db, async (tx) => {
    for (let n = 0; n < 10; n++)
      await releaseStock(tx, [{ stockItemId: item, quantity: 1 }], `test:${n}`, new Date().toISOString());
  });
});
