import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import { make } from '../../support/builders/make';
import { shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

describe('POST /cart/checkout refuses', () => {
  it('an empty cart: CART_EMPTY', async () => {
    const ada = await shopper(world, []);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'CART_EMPTY']);
    await pause(1_000); // The server's list is a moment late.
    expect((await world.temporal.workflow.count(`WorkflowType = 'checkout'`)).count).toBe(0);
  });

  it('goods no longer sold: ITEMS_UNAVAILABLE, named', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    await execute(world.db, `UPDATE products SET status = 'ARCHIVED' WHERE id = $1`, [product.id]);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'ITEMS_UNAVAILABLE']);
    expect(answer.body.error.details.items).toEqual([product.sku]);
  });

  it('more than there is: INSUFFICIENT_STOCK, named, and nothing is taken', async () => {
    const product = await make.product(world.db, { stock: 3 });
    const ada = await shopper(world, [{ productId: product.id, quantity: 3 }]);
    await execute(world.db, `UPDATE stock_items SET available = 2 WHERE id = $1`, [product.stockItemId]);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INSUFFICIENT_STOCK']);
    expect(answer.body.error.details.items).toEqual([product.sku]);
    await execute(world.db, `UPDATE stock_items SET available = 3 WHERE id = $1`, [product.stockItemId]);
    expect((await ada.get('/cart')).body.data.items).toHaveLength(1);
  });

  it('a price that was never shown: PRICE_CHANGED, until the cart has shown it', async () => {
    const product = await make.product(world.db, { priceMinor: 1_000 });
    const ada = await shopper(world, [{ productId: product.id }]);
    await execute(world.db, `UPDATE products SET price_minor = 1200 WHERE id = $1`, [product.id]);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(answer.body.error.details.items).toEqual([product.sku]);
    expect((await ada.get('/cart')).body.data.items[0].unitPrice).toBe(12);
    expect((await ada.order()).summary.subtotal).toBe(12);
  });

  it("an address that is none, or another's: INVALID_ADDRESS", async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const other = await make.buyer(world.db);
    for (const body of [
      { shippingAddressId: other.addressId },
      { shippingAddressId: randomUUID() },
      { billingAddressId: other.addressId },
    ]) {
      const answer = await ada.checkout(body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_ADDRESS']);
    }
  });

  it('a shipping method that does not go there: INVALID_SHIPPING_METHOD', async () => {
    const product = await make.product(world.db);
    const toFrance = await make.shippingMethod(world.db, { countries: ['FR'] });
    const ada = await shopper(world, [{ productId: product.id }]);
    for (const shippingMethodId of [toFrance, randomUUID()]) {
      const answer = await ada.checkout({ shippingMethodId });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_SHIPPING_METHOD']);
    }
  });

  it('buyers who must be known better: KYC_REQUIRED', async () => {
    const dear = await make.product(world.db, { priceMinor: 99_600 });
    const unknown = await shopper(world, [{ productId: dear.id }], { kycLevel: 'NONE' });
    const answer = await unknown.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([403, 'KYC_REQUIRED']);

    const cheap = await make.product(world.db);
    const earner = await shopper(world, [{ productId: cheap.id }], { kycLevel: 'BASIC' });
    await make.money(world.db, earner.buyer.id, 100, 'partner_available');
    const spent = await earner.checkout({ usePartnerBalance: true });
    expect([spent.status, spent.body.error.code]).toEqual([403, 'KYC_REQUIRED']);
  });

  it('a body that is not one: VALIDATION_ERROR with the field named', async () => {
    const ada = await shopper(world, []);
    const answer = await ada.post('/cart/checkout', { shippingAddressId: 'nope', paymentMethod: 'CASH' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details).sort()).toEqual([
      'paymentMethod',
      'shippingAddressId',
      'shippingMethodId',
    ]);
  });

  it('without a token: UNAUTHORIZED', async () => {
    const answer = await world.http.post('/api/v1/cart/checkout').send({});
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a third try within a minute: RATE_LIMIT_EXCEEDED, with the financial headers', async () => {
    const strict = await startWorld({ variables: { RATE_LIMIT_SCALE: '1' } });
    try {
      const ada = await shopper(strict, []);
      const answers = [await ada.checkout(), await ada.checkout(), await ada.checkout()];
      expect(answers.map((answer) => answer.status)).toEqual([400, 400, 429]);
      expect(answers[2]?.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(answers[2]?.headers).toMatchObject({
        'x-ratelimit-policy': 'financial',
        'x-ratelimit-limit': '2',
      });
    } finally {
      await strict.teardown();
    }
  });

  it('leaves no process behind', async () => {
    const ada = await shopper(world, []);
    await ada.checkout();
    const orders = await rows(world.db, 'SELECT 1 FROM orders WHERE user_id = $1', [ada.buyer.id]);
    expect(orders).toEqual([]);
  });
});
