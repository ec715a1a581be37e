import { v7 } from 'uuid';
import { openPayableAttempt } from '../../../../activities/commerce/payment/open-payable-attempt';
import { paymentProviders } from '../../../../activities/providers/payments';
import type { PaymentProvider } from '../../../../activities/providers/payments/port';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PaymentOffer } from '../../../../workflows/commerce/payment/payment-page.contract';
import { providersConfigOf } from '../../worlds/providers';
import { make } from '../make';
import type { Participation } from '../make/participation/options';

/** A participation that waits for a payment from outside, and its attempt. */
export interface Investment extends Participation {
  attemptId: string;
  /** The sandbox's page; null for a transfer. */
  paymentUrl: string | null;
  offer: PaymentOffer;
}

/** The price of participations here, in minor units: 1,000 USD. */
export const PRINCIPAL_MINOR = 1_000_00;

/** A participation that was just requested, whose attempt is open for half an hour; it has no process. */
export async function invested(
  db: Db,
  {
    userId,
    method = 'CARD',
    publicUrl = 'http://127.0.0.1',
    at = new Date(),
    provider,
  }: {
    userId?: string;
    method?: 'CARD' | 'BANK_TRANSFER';
    publicUrl?: string;
    at?: Date;
    /** By default the sandbox. */
    provider?: PaymentProvider;
  } = {},
): Promise<Investment> {
  const made = await make.participation(db, {
    ...(userId !== undefined && { userId }),
    paymentMethod: method,
    amountMinor: PRINCIPAL_MINOR,
    at,
  });
  const attemptId = v7();
  const payments = {
    providers: provider
      ? new Map([[provider.code, provider]])
      : paymentProviders(providersConfigOf({ PUBLIC_URL: publicUrl }), db),
    current: provider?.code ?? 'sandbox',
    bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
    accountHolder: 'Shop',
  };
  const offer = await inTransaction(db, (tx) =>
    openPayableAttempt(tx, payments, {
      ...{ participationId: made.id, number: made.number, attemptId, method },
      ...{ amountMinor: made.amountMinor, currency: 'USD' },
      openedAt: at.toISOString(),
      expiresAt: new Date(at.getTime() + 30 * 60_000).toISOString(),
    }),
  );
  return { ...made, attemptId, paymentUrl: offer.paymentUrl, offer };
}

/** The stored state of a participation, of its attempts, oldest first, and of its refunds. */
export async function investmentState(db: Db, id: string) {
  const row = await firstRow<{ participation: string; reservedMinor: number; method: string }>(
    db,
    `SELECT p.status || ' ' || p.payment_status AS participation, s.reserved_minor, p.payment_method AS method
     FROM participations p JOIN investment_strategies s ON s.id = p.strategy_id WHERE p.id = $1`,
    [id],
  );
  const attempts = await rows<{ attempt: string }>(
    db,
    `SELECT method || ' ' || status AS attempt FROM payment_attempts WHERE participation_id = $1 ORDER BY sequence`,
    [id],
  );
  const refunds = await rows<{ refund: string }>(
    db,
    `SELECT reason || ' ' || amount_minor || ' ' || status AS refund FROM payment_refunds
     WHERE participation_id = $1 ORDER BY id`,
    [id],
  );
  return {
    ...row!,
    attempts: attempts.map(({ attempt }) => attempt),
    refunds: refunds.map(({ refund }) => refund),
  };
}
