import { execute } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { refundRequested } from '../../orders/returning';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration } from './order-administration';

let administration: OrderAdministration;
beforeAll(async () => {
  administration = await startOrderAdministration();
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
});

/** The data that an administrator gets at a path. */
const read = async (path: string) => {
  const answer = await administration.ask('get', path);
  expect(outcomeOf(answer)).toBe('200');
  return answer.body.data;
};

test('ships an order from the API alone', async () => {
  const { ada, orderId, orderNumber } = await administration.sold();
  const { db } = administration.world;
  await execute(db, `UPDATE users SET first_name = 'Berta', last_name = 'Benz' WHERE id = $1`, [
    ada.buyer.id,
  ]);
  await execute(db, `UPDATE orders SET notes = 'Ring twice.' WHERE id = $1`, [orderId]);

  // "What of Mrs Benz has to be sent?"
  const { orders } = await read('/admin/orders?search=berta%20benz&status=PAID,PROCESSING');
  expect(orders).toEqual([expect.objectContaining({ id: orderId, orderNumber, status: 'PROCESSING' })]);

  // What goes into the parcel, and where to.
  const order = await read(`/admin/orders/${orderId}`);
  expect(order).toMatchObject({
    user: { firstName: 'Berta', lastName: 'Benz', email: ada.buyer.email },
    items: [{ quantity: 1, product: { sku: expect.any(String) as string } }],
    shippingAddress: { recipientName: expect.any(String) as string, country: 'DE' },
    shippingMethod: { name: expect.any(String) as string },
    notes: 'Ring twice.',
  });

  // It leaves, with the carrier's number; colleagues are told what the buyer is not.
  const sent = await administration.change(orderId, {
    status: 'SHIPPED',
    trackingNumber: '00340434161094',
    note: 'Sent in one parcel.',
    internalNote: 'The box was a little dented.',
    notifyCustomer: true,
  });
  expect(outcomeOf(sent)).toBe('200');

  const after = await read(`/admin/orders/${orderId}`);
  expect(after.parcel).toMatchObject({ trackingNumber: '00340434161094', events: [{ status: 'SHIPPED' }] });
  expect(
    after.statusHistory.map(({ status, note }: { status: string; note: string }) => [status, note]),
  ).toEqual([
    ['PENDING_PAYMENT', null],
    ['PAID', null],
    ['PROCESSING', null],
    ['SHIPPED', 'Sent in one parcel.'],
  ]);
  expect(after.internalNotes).toMatchObject([{ note: 'The box was a little dented.' }]);
  await eventually(async () =>
    expect((await read(`/admin/orders/${orderId}`)).processes).toMatchObject([
      { type: 'checkout', status: 'COMPLETED' },
      { type: 'fulfilment', status: 'RUNNING', waitsFor: expect.stringContaining('on its way') as string },
    ]),
  );

  // "Where is 00340434161094?"
  const found = await read('/admin/orders?search=00340434161094');
  expect(found.orders.map(({ id }: { id: string }) => id)).toEqual([orderId]);
});

test('answers a customer who asks for the refund', async () => {
  const { ada, orderId, refundId } = await refundRequested(administration.world);
  await refundRequested(administration.world);

  // "I am ada@…, where is my money?"
  const { refunds } = await read(`/admin/refunds?buyer=${encodeURIComponent(ada.buyer.email.toUpperCase())}`);
  expect(refunds).toEqual([expect.objectContaining({ id: refundId, status: 'PENDING_REVIEW' })]);
  expect(await read(`/admin/refunds/${refundId}`)).toMatchObject({
    order: { id: orderId },
    reason: 'It does not fit.',
    requestedAmount: 65,
    refundedAmount: 0,
    decision: null,
    paymentRefunds: [],
  });
  expect((await read(`/admin/orders/${orderId}`)).processes).toContainEqual(
    expect.objectContaining({
      workflowId: `refund:${refundId}`,
      status: 'RUNNING',
      waitsFor: expect.stringContaining('administrator') as string,
    }),
  );

  // Nobody has looked at it: it is decided now.
  const note = 'One of the two was worn.';
  const decided = await administration.ask('post', `/admin/refunds/${refundId}/approve`, {
    amount: 30,
    note,
  });
  expect(outcomeOf(decided)).toBe('200');
  expect(await read(`/admin/refunds/${refundId}`)).toMatchObject({
    status: 'COMPLETED',
    requestedAmount: 65,
    approvedAmount: 30,
    refundedAmount: 30,
    decision: {
      approved: true,
      by: { id: administration.admin.id, email: administration.admin.email },
      note,
      restock: false,
    },
    concludedAt: expect.any(String) as string,
  });
});
