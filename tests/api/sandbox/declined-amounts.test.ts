import { violations } from '../../support/checks/violations';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper, type PlacedOrder } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

/** An order whose price ends in .13, whatever the parcel costs. */
async function unlucky() {
  const usual = await make.product(world.db, { stock: 10, priceMinor: 1_000 });
  const probe = await shopper(world, [{ productId: usual.id }]);
  const { summary } = await probe.order();
  const parcelMinor = Math.round(summary.total * 100) - 1_000;
  const product = await make.product(world.db, { stock: 10, priceMinor: 10_013 - parcelMinor });
  const ada = await shopper(world, [{ productId: product.id }]);
  return { ada, ...(await ada.order()) };
}

const becomes = ({ orderId }: PlacedOrder, expected: string): Promise<void> =>
  eventually(async () => {
    const { status, paymentStatus } = await orderRow(world, orderId);
    expect(`${status} ${paymentStatus}`).toBe(expected);
  });

test.each(['pay', 'pay-late', 'pay-twice'] as const)(
  'a card is declined for an amount that ends in .13, by %s too; the order waits for another try',
  async (button) => {
    const order = await unlucky();
    expect(order.payment.amount).toBe(100.13);
    await press(world, order.payment.paymentUrl!, button);
    await becomes(order, 'PENDING_PAYMENT FAILED');
  },
);

test('the same amount by e-wallet is paid', async () => {
  const order = await unlucky();
  await press(world, order.payment.paymentUrl!, 'pay');
  await becomes(order, 'PENDING_PAYMENT FAILED');
  const again = await order.ada.post(`/orders/${order.orderId}/pay`, { paymentMethod: 'EWALLET' });
  expect(again.body.data.payment.amount).toBe(100.13);
  await press(world, again.body.data.payment.paymentUrl, 'pay');
  await becomes(order, 'PROCESSING PAID');
});
