import { violations } from '../../../support/checks/violations';
import { paidOrder } from '../../../support/builders/ordering';
import { orderRow } from '../../../support/builders/sandbox';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration, type Sold } from './order-administration';

let administration: OrderAdministration;
beforeAll(async () => {
  administration = await startOrderAdministration();
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
});

const ROUNDS = [1, 2, 3, 4, 5];
const cancels = ({ ada, orderId }: Sold) => ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late?' });

test.each(ROUNDS)('an administrator sends off what its buyer cancels: one of the two (%i)', async () => {
  const sold = await administration.sold();
  const [sent, cancelled] = (
    await Promise.all([
      administration.change(sold.orderId, { status: 'SHIPPED', notifyCustomer: true }),
      cancels(sold),
    ])
  ).map(outcomeOf);
  const row = await orderRow(administration.world, sold.orderId);
  const records = await administration.recordsOf(sold.orderId);
  if (sent === '200') {
    expect([cancelled, row]).toEqual(['400 CANNOT_CANCEL', { status: 'SHIPPED', paymentStatus: 'PAID' }]);
    expect(records).toHaveLength(1);
  } else {
    expect([sent, cancelled]).toEqual(['400 VALIDATION_ERROR', '200']);
    expect(row).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
    expect([records, await administration.mailsOf(sold.orderId)]).toEqual([[], []]);
  }
});

test.each(ROUNDS)('administrator and buyer cancel at once: cancelled once (%i)', async (round) => {
  const sold = await (round % 2 === 0 ? administration.sold() : administration.unpaid());
  const [decided, cancelled] = (
    await Promise.all([administration.change(sold.orderId, { status: 'CANCELLED' }), cancels(sold)])
  ).map(outcomeOf);
  expect((await orderRow(administration.world, sold.orderId)).status).toBe('CANCELLED');
  // The decision is on record if, and only if, it was one; the buyer either cancelled or finds it done.
  expect(await administration.recordsOf(sold.orderId)).toHaveLength(decided === '200' ? 1 : 0);
  expect(['200', '400 VALIDATION_ERROR']).toContain(decided);
  expect(['200', '400 CANNOT_CANCEL']).toContain(cancelled);
  expect([decided, cancelled]).toContain('200');
});

test.each(ROUNDS)('two administrators send an order off at once: one of them (%i)', async () => {
  const { orderId } = await administration.sold();
  const outcomes = (
    await Promise.all(
      ['ONE', 'TWO', 'THREE'].map((trackingNumber) =>
        administration.change(orderId, { status: 'SHIPPED', trackingNumber, notifyCustomer: true }),
      ),
    )
  ).map(outcomeOf);
  expect(outcomes.sort()).toEqual(['200', '400 VALIDATION_ERROR', '400 VALIDATION_ERROR']);
  expect(await administration.recordsOf(orderId)).toHaveLength(1);
  expect(await administration.mailsOf(orderId)).toHaveLength(1);
});

test('tracking data and a move at once: both happen', async () => {
  const { orderId } = await administration.sold();
  const outcomes = (
    await Promise.all([
      administration.change(orderId, { status: 'SHIPPED' }),
      administration.change(orderId, { trackingNumber: 'A1' }),
    ])
  ).map(outcomeOf);
  expect(outcomes).toEqual(['200', '200']);
  expect((await administration.change(orderId, {})).body.data).toMatchObject({
    status: 'SHIPPED',
    trackingNumber: 'A1',
  });
  expect(await administration.recordsOf(orderId)).toHaveLength(2);
});

test('of an order that is paid and that no process has, PROCESSING starts its fulfilment', async () => {
  const { orderId } = await paidOrder(administration.world.db);
  const answer = await administration.change(orderId, { status: 'PROCESSING' });
  expect(outcomeOf(answer)).toBe('200');
  const fulfilment = administration.world.temporal.workflow.getHandle(`fulfilment:${orderId}`);
  expect((await fulfilment.describe()).status.name).toBe('RUNNING');
  expect((await orderRow(administration.world, orderId)).status).toBe('PROCESSING');
});
