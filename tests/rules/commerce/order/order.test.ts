import { orderChangedLetter } from '../../../../workflows/commerce/order/order.letters';
import {
  isCancellable,
  orderStates,
  type OrderStatus,
} from '../../../../workflows/commerce/order/order.states';
import { paymentAttemptStates } from '../../../../workflows/commerce/payment/payment.states';
import { refundRequestStates } from '../../../../workflows/commerce/refund/refund-request.states';

describe('states', () => {
  test('an order can be cancelled until the parcel has left', () => {
    const statuses = Object.keys(orderStates.moves) as OrderStatus[];
    expect(statuses.filter(isCancellable)).toEqual(['PENDING_PAYMENT', 'PAID', 'PROCESSING']);
  });

  test('an order goes from payment to delivery one step at a time', () => {
    const way: OrderStatus[] = ['PENDING_PAYMENT', 'PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED'];
    for (const [from, status] of way.entries())
      for (const [to, next] of way.entries())
        expect({ status, next, can: orderStates.canMove(status, next) }).toEqual({
          status,
          next,
          can: to === from + 1,
        });
  });

  test('only what was paid can be refunded in full', () => {
    const refundable = Object.entries(orderStates.moves)
      .filter(([, targets]) => (targets as readonly string[]).includes('REFUNDED'))
      .map(([status]) => status);
    expect(refundable).toEqual(['PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED']);
  });

  test('cancelled and refunded are for good', () => {
    expect([orderStates.isFinal('CANCELLED'), orderStates.isFinal('REFUNDED')]).toEqual([true, true]);
    expect([orderStates.isFinal('PENDING_PAYMENT'), orderStates.isFinal('DELIVERED')]).toEqual([
      false,
      false,
    ]);
  });

  test('money may still come for an ended attempt, and nothing reverses that', () => {
    for (const status of ['PENDING', 'DECLINED', 'EXPIRED', 'CANCELLED'] as const)
      expect(paymentAttemptStates.canMove(status, 'PAID')).toBe(true);
    expect(paymentAttemptStates.isFinal('PAID')).toBe(true);
  });

  test('a refund request is decided once and then leads to an end; a failed one can be settled', () => {
    expect(refundRequestStates.moves).toEqual({
      PENDING_REVIEW: ['APPROVED', 'REJECTED'],
      APPROVED: ['PROCESSING'],
      PROCESSING: ['COMPLETED', 'FAILED'],
      REJECTED: [],
      COMPLETED: [],
      FAILED: ['COMPLETED'], // Given up, and then settled by hand.
    });
  });
});

describe('letters', () => {
  const order = {
    firstName: 'Ada',
    orderNumber: 'ORD-2026-00000001',
    trackingNumber: 'A 1',
    trackingUrl: null,
    template: 'https://post.example.com/{trackingNumber}',
  };

  test('a move is named in subject and text, with the note, the number and the page of the parcel', () => {
    expect(orderChangedLetter(order, { to: 'SHIPPED', note: 'In two parcels.' })).toEqual({
      subject: 'Your order ORD-2026-00000001 is on its way',
      greeting: 'Hello Ada,',
      paragraphs: [
        'Your order ORD-2026-00000001 has been shipped and is on its way to you.',
        'A note from our team: In two parcels.',
        ['Tracking number: A 1'],
      ],
      link: { label: 'Track your parcel', url: 'https://post.example.com/A%201' },
    });
  });

  test('a cancelled order is shown without its parcel', () => {
    const cancelled = {
      subject: 'Your order ORD-2026-00000001 was cancelled',
      greeting: 'Hello Ada,',
      paragraphs: ['Your order ORD-2026-00000001 was cancelled.'],
    };
    expect(orderChangedLetter(order, { to: 'CANCELLED', note: null })).toEqual(cancelled);
    expect(orderChangedLetter(order, { to: 'CANCELLED', note: null, isPaid: true })).toEqual({
      ...cancelled,
      paragraphs: [...cancelled.paragraphs, 'The money is returned the way you paid.'],
    });
  });

  test('without a move the mail says so', () => {
    const { subject, paragraphs } = orderChangedLetter(
      { ...order, trackingNumber: null, template: null },
      { to: null, note: 'Hello.' },
    );
    expect([subject, ...paragraphs]).toEqual([
      'Your order ORD-2026-00000001 was updated',
      'Your order ORD-2026-00000001 has a new note.',
      'A note from our team: Hello.',
    ]);
  });
});
