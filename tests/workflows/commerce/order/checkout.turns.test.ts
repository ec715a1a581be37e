import {
  cancelOrder,
  orderStatus,
  paymentReported,
} from '../../../../workflows/commerce/order/order.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { noteOf, PRICE_MINOR } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { cancel, payAgain, place, placed, sale } from '../sales';

let world: SkippingWorld;
/** The calls of the steps, in their order; `held` makes them wait before they begin. */
let calls: string[];
let held: Promise<void> | undefined;
/** Runs after a step has finished and before its process gets the answer. */
let meanwhile: () => Promise<unknown>;
let recordsReading = false;

beforeAll(async () => {
  const recorded = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    calls.push(`${what} begins`);
    await held;
    const answer = await work();
    await meanwhile();
    calls.push(`${what} ends`);
    return answer;
  };
  world = await startSkippingWorld({
    fakes: (real) => ({
      orderStanding: (order) =>
        recordsReading ? recorded('reading', () => real.orderStanding(order)) : real.orderStanding(order),
      placeOrder: (command) => recorded('placing', () => real.placeOrder(command)),
      openPayment: (command) => recorded('paying', () => real.openPayment(command)),
      cancelOrder: (command) => recorded('cancelling', () => real.cancelOrder(command)),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  calls = [];
  held = undefined;
  meanwhile = () => Promise.resolve();
  recordsReading = false;
});

/** Makes the steps wait until the answered function is called. */
function hold(): () => void {
  let letGo: () => void = () => undefined;
  held = new Promise((resolve) => (letGo = resolve));
  return letGo;
}

test('a cancellation that arrives while the order is being placed waits for it', async () => {
  const sold = await sale(world);
  const letGo = hold();
  const placing = place(world, sold);
  await eventually(() => expect(calls).toEqual(['placing begins']));
  const noteId = await noteOf(world.db, sold.userId, 'Changed my mind at once.');
  const cancelling = sold.checkout.executeUpdate(cancelOrder, { args: [{ noteId }] });
  await sold.checkout.describe(); // Earlier requests have reached the server now.
  letGo();
  expect((await placing).standing.status).toBe('PENDING_PAYMENT');
  expect((await cancelling).refundStatus).toBeNull();
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(calls).toEqual(['placing begins', 'placing ends', 'cancelling begins', 'cancelling ends']);
  await keepHistory(sold.checkout, 'cancelled-while-placing');
});

test('two commands on one order run one after the other, in their order', async () => {
  const sold = await placed(world);
  calls = [];
  const letGo = hold();
  const paying = payAgain(world, sold, 'EWALLET');
  await eventually(() => expect(calls).toEqual(['paying begins']));
  const noteId = await noteOf(world.db, sold.userId, 'Changed my mind.');
  const cancelling = sold.checkout.executeUpdate(cancelOrder, { args: [{ noteId }] });
  await sold.checkout.describe();
  letGo();
  await Promise.all([paying, cancelling]);
  expect(calls).toEqual(['paying begins', 'paying ends', 'cancelling begins', 'cancelling ends']);
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
  calls = [];
  const letGo = hold();
  const cancelling = cancel(world, sold);
  await eventually(() => expect(calls).toEqual(['cancelling begins']));
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
  calls = [];
  const letFirst = hold();
  const paying = payAgain(world, sold, 'BALANCE');
  await eventually(() => expect(calls).toEqual(['paying begins']));
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
  calls = [];
  recordsReading = true;
  let letRead: () => void = () => undefined;
  meanwhile = () => new Promise<void>((resolve) => (letRead = resolve));
  await sold.checkout.signal(paymentReported);
  await eventually(() => expect(calls).toEqual(['reading begins']));
  const paying = payAgain(world, sold, 'BALANCE');
  await sold.checkout.describe();
  meanwhile = () => Promise.resolve();
  letRead();
  expect((await paying).standing.status).toBe('PAID');
  expect(calls).toEqual(['reading begins', 'reading ends', 'paying begins', 'paying ends']);
  expect(await sold.checkout.result()).toBe('PAID');
});
