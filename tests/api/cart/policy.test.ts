import { execute, firstRow } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false, variables: { POLICY_CART_LINES: '3', POLICY_CART_DAYS: '10' } });
});
afterAll(() => world.teardown());

async function buyerWith(goods: number) {
  const buyer = await make.buyer(world.db);
  const token = await signIn(world, buyer);
  const products = [];
  for (let i = 0; i < goods; i++) products.push(await make.product(world.db));
  const add = (productId: string) =>
    world.http.post('/api/v1/cart/items').auth(token, { type: 'bearer' }).send({ productId, quantity: 1 });
  const cart = () => world.http.get('/api/v1/cart').auth(token, { type: 'bearer' });
  return { buyer, products, add, cart };
}

test('a cart holds as many lines as the policy says, also when they are added at once', async () => {
  const { buyer, products, add } = await buyerWith(10);
  const answers = await Promise.all(products.map(({ id }) => add(id).then((answer) => answer)));
  const results = answers.map(({ status, body }) =>
    status === 201 ? '201' : `${status} ${body.error.code}`,
  );
  expect(results.sort()).toEqual([
    ...Array<string>(3).fill('201'),
    ...Array<string>(7).fill('400 MAX_QUANTITY_EXCEEDED'),
  ]);
  const lines = await firstRow<{ count: number }>(
    world.db,
    `SELECT count(*)::int AS count FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1`,
    [buyer.id],
  );
  expect(lines).toEqual({ count: 3 });
});

test('a full cart still takes more of what it holds', async () => {
  const { products, add } = await buyerWith(4);
  for (const { id } of products.slice(0, 3)) expect((await add(id)).status).toBe(201);
  expect((await add(products[3]!.id)).body.error.code).toBe('MAX_QUANTITY_EXCEEDED');
  const again = await add(products[0]!.id);
  expect([again.status, again.body.data.quantity]).toEqual([201, 2]);
});

test('a cart unchanged for the days of the policy is empty', async () => {
  const { buyer, products, add, cart } = await buyerWith(1);
  await add(products[0]!.id);
  const left = (days: number) =>
    execute(world.db, `UPDATE carts SET updated_at = now() - make_interval(days => $2) WHERE user_id = $1`, [
      buyer.id,
      days,
    ]);
  await left(9);
  expect((await cart()).body.data.items).toHaveLength(1);
  await left(11);
  expect((await cart()).body.data.items).toHaveLength(0);
});
