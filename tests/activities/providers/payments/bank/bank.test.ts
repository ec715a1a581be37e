import { v7 } from 'uuid';
import { bankProvider } from '../../../../../activities/providers/payments/bank/bank';
import { ProviderRefusal } from '../../../../../activities/providers/payments/port';

const bank = bankProvider();
const payment = { key: v7(), reference: null };

test('money that goes back by transfer is sent by a person, however often it is requested', async () => {
  const order = { key: v7(), paymentId: 'BANK-1', amountMinor: 5_000, currency: 'USD' };
  expect(await bank.refund(order)).toEqual({ status: 'manual' });
  expect(await bank.lookUpRefund(order)).toBeNull();
  expect(await bank.refund(order)).toEqual({ status: 'manual' });
});

test('it has no page, and reports nothing by itself', async () => {
  const at = new Date().toISOString();
  const opened = bank.openPayment({
    key: v7(),
    method: 'CARD',
    amountMinor: 1,
    currency: 'USD',
    openedAt: at,
    expiresAt: at,
    description: 'ORD-1',
  });
  await expect(opened).rejects.toBeInstanceOf(ProviderRefusal);
  await bank.closePayment(payment);
  expect(await bank.lookUpPayment(payment)).toEqual([]);
});
