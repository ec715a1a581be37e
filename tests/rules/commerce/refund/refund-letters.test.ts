import { orderPaidLetter } from '../../../../workflows/commerce/payment/payment.letters';
import {
  chargebackLetter,
  moneySentLetter,
  refundRequestLetter,
} from '../../../../workflows/commerce/refund/refund.letters';

const money = { firstName: 'Ada', orderNumber: 'ORD-2026-00000001', amountMinor: 5_950, currency: 'USD' };

test.each([
  ['APPROVED', 'Your refund is approved', 'are on their way back to where they came from.'],
  ['REPAID', 'Your refund is approved', 'are back on your balance.'],
  ['SENT', 'Your refund has been sent', 'have been sent back to where they came from.'],
  ['FAILED', 'Your refund could not be sent', 'could not be sent back to where they came from.'],
] as const)('%s: the subject names the order, the text the amount', (kind, subject, ending) => {
  const { subject: line, greeting, paragraphs } = refundRequestLetter(kind, { ...money, reason: null });
  expect(line).toBe(`${subject}: order ORD-2026-00000001`);
  expect(greeting).toBe('Hello Ada,');
  expect(paragraphs[0]).toBe(`59.50 USD for your order ORD-2026-00000001 ${ending}`);
});

test('a request that is turned down names the reason, if there is one', () => {
  const textOf = (reason: string | null) => refundRequestLetter('REJECTED', { ...money, reason }).paragraphs;
  const refused = 'We do not give back 59.50 USD for your order ORD-2026-00000001.';
  expect(textOf('Worn.')).toEqual([refused, 'The reason: Worn.']);
  expect(textOf(null)).toEqual([refused]);
});

test('money that was sent by hand, that came by a chargeback, and that paid an order', () => {
  expect(moneySentLetter(money).paragraphs).toEqual([
    '59.50 USD for your order ORD-2026-00000001 have been sent back to you.',
  ]);
  expect(chargebackLetter(money)).toMatchObject({
    subject: 'Your refund has come through your bank: order ORD-2026-00000001',
    paragraphs: [
      expect.stringContaining('59.50 USD'),
      expect.stringContaining('do not send it a second time'),
    ],
  });
  expect(orderPaidLetter(money)).toEqual({
    subject: 'Your order ORD-2026-00000001 is paid',
    greeting: 'Hello Ada,',
    paragraphs: ['Thank you. Your order ORD-2026-00000001 is paid and is being made ready.'],
  });
});
