import { enterSandboxPayments } from '../../../db/commerce/sandbox.writes';
import { execute } from '../../../db/sql';
import { checkoutProcess } from '../../../workflows/commerce/checkout.contract';
import { fulfilmentProcess } from '../../../workflows/commerce/fulfilment.contract';
import { cancelOrder, orderStatus, paymentReported } from '../../../workflows/commerce/order.contract';
import { brokenBooks } from '../../support/books';
import { eventually } from '../../support/eventually';
import { keepHistory } from '../../support/histories';
import { NOTHING_HELD, noteOf, PRICE_MINOR, TWO_RESERVED, TWO_SOLD } from '../../support/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../support/skipping-world';
import { bookOf, cancel, payAgain, place, placed, report, sale } from './story';

let world: SkippingWorld;
/** What the books were asked to do, in that order; `held` makes them wait before they begin. */
let asked: string[];
let held: Promise<void> | undefined;
/** What happens when the books have done their work and before their process hears of it. */
let meanwhile: () => Promise<unknown>;
let readingIsTold = false;

beforeAll(async () => {
  const told = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    asked.push(`${what} begins`);
    await held;
    const answer = await work();
    await meanwhile();
    asked.push(`${what} ends`);
    return answer;
  };
  world = await startSkippingWorld({
    fakes: (real) => ({
      orderStanding: (order) =>
        readingIsTold ? told('reading', () => real.orderStanding(order)) : real.orderStanding(order),
      placeOrder: (wish) => told('placing', () => real.placeOrder(wish)),
      openPayment: (wish) => told('paying', () => real.openPayment(wish)),
      cancelOrder: (wish) => told('cancelling', () => real.cancelOrder(wish)),
    }),
  });
});
afterAll(async () => {
  expect(await brokenBooks(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  asked = [];
  held = undefined;
  meanwhile = () => Promise.resolve();
  readingIsTold = false;
});

/** Makes the books wait until the answered function is called. */
function hold(): () => void {
  let letGo: () => void = () => undefined;
  held = new Promise((resolve) => (letGo = resolve));
  return letGo;
}

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

test('a refused wish tells why, leaves nothing and ends its process', async () => {
  const sold = await sale(world);
  await execute(world.db, `UPDATE stock_items SET available = 0 WHERE id = $1`, [sold.stockItemId]);
  await expect(place(world, sold)).rejects.toMatchObject({ type: 'INSUFFICIENT_STOCK' });
  await execute(world.db, `UPDATE stock_items SET available = 10 WHERE id = $1`, [sold.stockItemId]);
  expect(await sold.checkout.result()).toBe('REFUSED');
  expect(await sold.checkout.query(orderStatus)).toBe('REFUSED');
  expect(await bookOf(world, sold)).toMatchObject({ order: null, ...NOTHING_HELD });
  await keepHistory(sold.checkout, 'refused');
});

test('a process that nobody asks for an order ends by itself', async () => {
  const sold = await sale(world);
  await world.processes.start(checkoutProcess, sold);
  await expect(cancel(world, sold)).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
  await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  await world.sleep('9 minutes');
  expect(await sold.checkout.query(orderStatus)).toBe('PLACING');
  await world.sleep('2 minutes');
  expect(await sold.checkout.result()).toBe('REFUSED');
  expect(asked).toEqual([]);
});

test('a cancellation that arrives while the order is being placed waits for it', async () => {
  const sold = await sale(world);
  const letGo = hold();
  const placing = place(world, sold);
  await eventually(() => expect(asked).toEqual(['placing begins']));
  const noteId = await noteOf(world.db, sold.userId, 'Changed my mind at once.');
  const cancelling = sold.checkout.executeUpdate(cancelOrder, { args: [{ noteId }] });
  await sold.checkout.describe(); // What was asked before has reached the server now.
  letGo();
  expect((await placing).standing.status).toBe('PENDING_PAYMENT');
  expect((await cancelling).refundStatus).toBeNull();
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(asked).toEqual(['placing begins', 'placing ends', 'cancelling begins', 'cancelling ends']);
  await keepHistory(sold.checkout, 'cancelled-while-placing');
});

test('two wishes about one order never cross: they are done in the order asked', async () => {
  const sold = await placed(world);
  asked = [];
  const letGo = hold();
  const paying = payAgain(world, sold, 'EWALLET');
  await eventually(() => expect(asked).toEqual(['paying begins']));
  const noteId = await noteOf(world.db, sold.userId, 'Changed my mind.');
  const cancelling = sold.checkout.executeUpdate(cancelOrder, { args: [{ noteId }] });
  await sold.checkout.describe();
  letGo();
  await Promise.all([paying, cancelling]);
  expect(asked).toEqual(['paying begins', 'paying ends', 'cancelling begins', 'cancelling ends']);
  await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
});

test('a payment by balance begins only after the request is written down', async () => {
  const sold = await placed(world, { walletMinor: PRICE_MINOR });
  await payAgain(world, sold, 'EWALLET');
  await payAgain(world, sold, 'BALANCE');
  const { events } = await sold.checkout.fetchHistory();
  const scheduled = (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: attributes }) => attributes?.activityType?.name ?? [],
  );
  expect(scheduled).toEqual(['openPayment']);
});

test('what is hopeless is refused before it is accepted, and leaves nothing in the history', async () => {
  const sold = await placed(world);
  await world.sleep('29 minutes');
  asked = [];
  const letGo = hold();
  const cancelling = cancel(world, sold);
  await eventually(() => expect(asked).toEqual(['cancelling begins']));
  const second = payAgain(world, sold, 'EWALLET');
  await sold.checkout.describe();
  letGo();
  await cancelling;
  await expect(second).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('who waits for their turn is answered before the process closes', async () => {
  const sold = await placed(world, { walletMinor: PRICE_MINOR });
  asked = [];
  const letFirst = hold();
  const paying = payAgain(world, sold, 'BALANCE');
  await eventually(() => expect(asked).toEqual(['paying begins']));
  const waiting = payAgain(world, sold, 'EWALLET');
  await sold.checkout.describe();
  const letSecond = hold();
  letFirst();
  expect((await paying).standing.status).toBe('PAID');
  await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
  expect((await sold.checkout.describe()).status.name).toBe('RUNNING');
  letSecond();
  await expect(waiting).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  expect(await sold.checkout.result()).toBe('PAID');
});

test('an order that is read again after a report does not overwrite what came of a request meanwhile', async () => {
  const sold = await placed(world, { walletMinor: PRICE_MINOR });
  asked = [];
  readingIsTold = true;
  let letRead: () => void = () => undefined;
  meanwhile = () => new Promise<void>((resolve) => (letRead = resolve));
  await sold.checkout.signal(paymentReported);
  await eventually(() => expect(asked).toEqual(['reading begins']));
  const paying = payAgain(world, sold, 'BALANCE');
  await sold.checkout.describe();
  meanwhile = () => Promise.resolve();
  letRead();
  expect((await paying).standing.status).toBe('PAID');
  expect(asked).toEqual(['reading begins', 'reading ends', 'paying begins', 'paying ends']);
  expect(await sold.checkout.result()).toBe('PAID');
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
  await world.sleep('30 minutes'); // And no longer: from here on the clock stands; see `patient`.
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
