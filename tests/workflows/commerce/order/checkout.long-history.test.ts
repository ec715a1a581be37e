import { orderStatus, paymentReported } from '../../../../workflows/commerce/order/order.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { startWorld, type World } from '../../../support/worlds/world';
import { cancel, payAgain, placed, type Sale } from '../sales';

/** From so many events on the server suggests to continue as new. */
const FULL = 4096;
/** Events that a payment and its page add. */
const ROOM = 60;
const SIGNALS_AT_ONCE = 200;

let world: World;
let readings = 0;
let pages: { requested: number; held: Promise<void> };

beforeAll(async () => {
  world = await startWorld({
    fakes: (real) => ({
      orderStanding: async (order) => {
        const standing = await real.orderStanding(order);
        readings++;
        return standing;
      },
      openPayment: async (command) => {
        const offered = await real.openPayment(command);
        const pageToOpen = { attemptId: command.attemptId, provider: 'sandbox' };
        return { ...offered, payment: { ...offered.payment, pageToOpen } };
      },
      openPage: async () => {
        pages.requested++;
        await pages.held;
        return { paymentUrl: null };
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const signal = (sold: Sale, times: number) =>
  Promise.all(Array.from({ length: times }, () => sold.checkout.signal(paymentReported)));
const lengthOf = async (sold: Sale): Promise<number> => (await sold.checkout.describe()).historyLength;

/** Fills the history up to so many events. */
async function fill(sold: Sale, events: number): Promise<void> {
  for (let length = await lengthOf(sold); length < events; length = await lengthOf(sold))
    await signal(sold, Math.max(1, Math.min(SIGNALS_AT_ONCE, Math.floor((events - length) / 2))));
}

test('a checkout with a full history answers its update, continues as new and resumes its state', async () => {
  const sold = await placed(world);
  const { runId } = await sold.checkout.describe();
  await fill(sold, FULL - ROOM);
  let letGo: () => void = () => undefined;
  pages = { requested: 0, held: new Promise((resolve) => (letGo = resolve)) };
  const paying = payAgain(world, sold, 'EWALLET');
  await eventually(() => expect(pages.requested).toBe(1));
  await signal(sold, ROOM);
  const read = readings;
  await signal(sold, 1);
  await eventually(() => expect(readings).toBeGreaterThan(read));
  await sold.checkout.query(orderStatus);
  letGo();
  expect((await paying).standing.status).toBe('PENDING_PAYMENT');

  await eventually(async () => expect((await sold.checkout.describe()).runId).not.toBe(runId));
  expect(await lengthOf(sold)).toBeLessThan(FULL);
  pages = { requested: 0, held: Promise.resolve() };
  expect((await payAgain(world, sold, 'CARD')).standing.status).toBe('PENDING_PAYMENT');
  await cancel(world, sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
});
