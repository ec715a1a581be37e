import { newestAttempt, type NewestAttempt } from '../../../db/commerce/payment/newest-attempt.reads';
import { openAttempt, type PaymentMeans } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { idsOf, type PayableRef } from '../../../workflows/commerce/payable/payable.rules';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { meansToPay, type Payments } from './payment-offer';

/** A thing other than an order that waits for a payment from outside, locked, and the attempt to open for it; times are ISO 8601. */
export type PayableAttempt = Exclude<PayableRef, { orderId: string }> & {
  /** The purpose of a bank transfer, and what a provider's page names. */
  number: string;
  attemptId: string;
  method: 'CARD' | 'EWALLET' | 'BANK_TRANSFER';
  amountMinor: number;
  currency: string;
  openedAt: string;
  expiresAt: string;
};

/**
 * Opens the attempt to pay it, stores with it how it is paid, and returns that. Where another company has to
 * open the page, the answer names it in `pageToOpen` (see `withPage`).
 */
export async function openPayableAttempt(
  tx: Tx,
  payments: Payments,
  attempt: PayableAttempt,
): Promise<PaymentOffer> {
  const { attemptId, number, method, amountMinor, currency, openedAt, expiresAt } = attempt;
  const provider = payments.current;
  const money = { method, amountMinor, currency };
  const means: PaymentMeans = await meansToPay(payments, {
    ...{ attemptId, provider, method, currency, openedAt, expiresAt },
    attemptMinor: amountMinor,
    number,
  });
  const opening = { id: attemptId, ...idsOf(attempt), provider, ...money, ...means };
  await openAttempt(tx, { ...opening, expiresAt, at: openedAt });
  return offerOf({ ...attempt, provider, ...means });
}

/** The newest offered way to pay it; null for one that has no attempt, as one paid by balance. */
export async function payableOffer(db: Db, payable: PayableRef): Promise<PaymentOffer | null> {
  const attempt = await newestAttempt(db, payable);
  return attempt && offerOf(attempt);
}

function offerOf({
  attemptId,
  provider,
  method,
  amountMinor,
  currency,
  expiresAt,
  paymentUrl,
  bankDetails,
}: NewestAttempt): PaymentOffer {
  const isOpen = paymentUrl !== null || bankDetails !== null;
  return {
    ...{ method, amountMinor, currency, expiresAt, paymentUrl, bankDetails },
    ...(!isOpen && { pageToOpen: { attemptId, provider } }),
  };
}
