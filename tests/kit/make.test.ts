import { firstRow, rows } from '../../db/sql/query';
import { ownDatabase } from '../support/servers/database';
import { make } from '../support/builders/make';

const own = ownDatabase();

test('everything that a checkout needs can be made with defaults', async () => {
  const { db } = own;
  const category = await make.category(db);
  const product = await make.product(db, { categoryId: category.id });
  const variant = await make.variant(db, product.id);
  await make.image(db, product.id);
  await make.coupon(db);
  await make.coupon(db, { amountMinor: 500 });
  await make.shippingMethod(db);
  await make.shippingMethod(db, { countries: ['DE', 'FR'] });
  await make.taxRate(db, 'DE', 1_900);
  await make.admin(db);
  await make.superAdmin(db);
  const buyer = await make.buyer(db, { walletMinor: 100_000 });
  await make.cart(db, buyer.id, [
    { productId: product.id },
    { productId: product.id, variantId: variant.id },
  ]);

  expect(await rows(db, 'SELECT balance_minor FROM ledger_balances')).toEqual([{ balanceMinor: 100_000 }]);
  expect(await firstRow(db, 'SELECT count(*) AS lines FROM cart_items')).toEqual({ lines: 2 });
});

test('defaults can be overridden', async () => {
  const { db } = own;
  const { stockItemId } = await make.product(db, { stock: 5, priceMinor: 199 });
  expect(await firstRow(db, 'SELECT available FROM stock_items WHERE id = $1', [stockItemId])).toEqual({
    available: 5,
  });
  expect(await make.product(db, { stock: null })).toMatchObject({ stockItemId: null });
});

test('every file has a database of its own', async () => {
  expect(own.url).toMatch(/\/test_[0-9a-f]{16}$/);
});
