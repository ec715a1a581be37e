import { orderChangedLetter } from '../../../../workflows/commerce/order/order.letters';

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
      'Your order ORD-2026-00000001 has left and is on its way to you.',
      'In two parcels.',
      'The number of your parcel: A 1',
    ],
    link: { label: 'Follow your parcel', url: 'https://post.example.com/A%201' },
  });
});

test('a cancelled order is shown without its parcel', () => {
  expect(orderChangedLetter(order, { to: 'CANCELLED', note: null })).toEqual({
    subject: 'Your order ORD-2026-00000001 is cancelled',
    greeting: 'Hello Ada,',
    paragraphs: ['Your order ORD-2026-00000001 is cancelled. What you paid goes back the way it came.'],
  });
});

test('without a move the mail says so', () => {
  const { subject, paragraphs } = orderChangedLetter(
    { ...order, trackingNumber: null, template: null },
    { to: null, note: 'Hello.' },
  );
  expect([subject, ...paragraphs]).toEqual([
    'Your order ORD-2026-00000001 has news',
    'Your order ORD-2026-00000001 has news.',
    'Hello.',
  ]);
});
