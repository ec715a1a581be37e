import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { execute } from '../../../../db/sql/query';
import { checkoutProcess } from '../../../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../../../workflows/commerce/order/fulfilment.contract';
import { orderStatus, paymentReported } from '../../../../workflows/commerce/order/order.contract';
import { searchAttributes } from '../../../../workflows/kit/search-attributes';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { NOTHING_HELD, PRICE_MINOR, TWO_RESERVED, TWO_SOLD } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, payAgain, place, placed, report, sale } from '../sales';

let world: SkippingWorld;
/** The calls of the steps, in their order. */
let calls: string[];
/** Runs after a step has finished and before its process gets the answer. */
let meanwhile: () => Promise<unknown>;

beforeAll(async () => {
  const recorded = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    calls.push(`${what} begins`);
    const answer = await work();
    await meanwhile();
    calls.push(`${what} ends`);
    return answer;
  };
  world = await startSkippingWorld({
    fakes: (real) => ({
      placeOrder: (command) => recorded('placing', () => real.placeOrder(command)),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  calls = [];
  meanwhile = () => Promise.resolve();
});

test('an order paid from the balance is paid at once, and fulfilment has it', async () => {
  const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
  expect(sold.placed.standing.status).toBe('PAID');
  expect(await sold.checkout.result()).toBe('PAID');
  await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD });
  await keepHistory(sold.checkout, 'paid-from-balance');
});

test('an order paid by card is paid when its provider says so', async () => {
  const sold = await placed(world);
  await report(world, 'PAID', sold);
  expect(await sold.checkout.result()).toBe('PAID');
  await keepHistory(sold.checkout, 'paid-by-card');
});

test('operators find a checkout and the fulfilment that it started by order, buyer and area', async () => {
  const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
  expect(await sold.checkout.result()).toBe('PAID');
  for (const process of [sold.checkout, sold.fulfilment]) {
    const { typedSearchAttributes: found } = await process.describe();
    const { entityId, userId, area } = searchAttributes;
    expect([found.get(entityId), found.get(userId), found.get(area)]).toEqual([
      sold.orderId,
      sold.userId,
      'commerce',
    ]);
  }
});

test('a refused order answers the reason, leaves nothing and ends its process', async () => {
  const sold = await sale(world);
  await execute(world.db, `UPDATE stock_items SET available = 0 WHERE id = $1`, [sold.stockItemId]);
  await expect(place(world, sold)).rejects.toMatchObject({ type: 'INSUFFICIENT_STOCK' });
  await execute(world.db, `UPDATE stock_items SET available = 10 WHERE id = $1`, [sold.stockItemId]);
  expect(await sold.checkout.result()).toBe('REFUSED');
  expect(await sold.checkout.query(orderStatus)).toBe('REFUSED');
  expect(await bookOf(world, sold)).toMatchObject({ order: null, ...NOTHING_HELD });
  await keepHistory(sold.checkout, 'refused');
});

test('a process without a request for an order ends by itself', async () => {
  const sold = await sale(world);
  await world.processes.start(checkoutProcess, sold);
  await expect(cancel(world, sold)).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
  await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  await world.sleep('9 minutes');
  expect(await sold.checkout.query(orderStatus)).toBe('PLACING');
  await world.sleep('2 minutes');
  expect(await sold.checkout.result()).toBe('REFUSED');
  expect(calls).toEqual([]);
});

test('signals that arrive for nothing change nothing', async () => {
  const sold = await sale(world);
  await world.processes.start(checkoutProcess, sold);
  await sold.checkout.signal(paymentReported);
  await place(world, sold);
  for (let times = 0; times < 3; times++) await sold.checkout.signal(paymentReported);
  await world.sleep('29 minutes');
  expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await cancel(world, sold);
});

test('money that is found twice at the end of the window pays the order once; the rest goes back', async () => {
  const sold = await placed(world);
  const payment = { key: sold.attemptId, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
  const paid = { status: 'PAID' as const, delayMs: 0 };
  await enterSandboxPayments(world.db, payment, () => [paid, paid]);
  await world.sleep('30 minutes'); // No longer: from here on the clock does not skip; see `patient`.
  expect(await sold.checkout.result()).toBe('PAID');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'PROCESSING PAID',
      refunds: ['DUPLICATE_PAYMENT COMPLETED'],
    }),
  );
});

test('an order whose fulfilment was started by somebody else is paid all the same', async () => {
  const sold = await sale(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
  meanwhile = () => world.processes.start(fulfilmentProcess, sold);
  await place(world, sold);
  expect(await sold.checkout.result()).toBe('PAID');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD }),
  );
});
