import { bankReference } from '../../commerce/payment/bank-reference';
import { transferOf } from '../../commerce/payment/capture.reads';
import { takeBankReference } from '../../commerce/payment/sent-reference.transitions';
import { clearingAccount } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { providerAccount } from '../participation/participation-ledger.transitions';
import { countDebt } from '../reconciliation/provider-debt.transitions';
import { ProviderPayment } from './provider-payment.model';
import type { ProviderPaymentRow } from './provider-payment.reads';

/** Takes a bank's reference for a payment of a provider; false if money of any kind came or went by it already. */
export const takeReference = async (tx: Tx, reference: string): Promise<boolean> =>
  (await takeBankReference(tx, reference)) && (await transferOf(tx, reference)) === null;

/** The payment that is recorded under a bank's reference, however that was written; null when there is none. */
export const paymentByReference = (tx: Tx, reference: string): Promise<ProviderPaymentRow | null> =>
  firstRow(
    tx,
    `SELECT * FROM investment_provider_payments WHERE ${bankReference('bank_reference')} = ${bankReference('$1')}`,
    [reference],
  );

/** The standing of a provider with us in one currency, in minor units. */
interface Standing {
  /** Its debt to us. */
  owedMinor: number;
  /** The sum of its payments, less those that were sent to it. */
  paidMinor: number;
}

/** The standing of a provider that the caller has locked. */
export async function standingOf(tx: Tx, providerCode: string, currency: string): Promise<Standing> {
  const found = await firstRow<Standing>(
    tx,
    `SELECT coalesce((SELECT owed_minor FROM investment_provider_debts_now
               WHERE provider_code = $1 AND currency = $2), 0) AS owed_minor,
            coalesce(sum(CASE direction WHEN 'RECEIVED' THEN amount_minor ELSE -amount_minor END), 0)::bigint AS paid_minor
       FROM investment_provider_payments WHERE provider_code = $1 AND currency = $2`,
    [providerCode, currency],
  );
  return found ?? { owedMinor: 0, paidMinor: 0 };
}

/**
 * Records a payment, books it, and counts what its provider owes then, of which `debtLimit` is the most, in whole units. The
 * caller has locked the provider and taken the reference. The database refuses more than is owed, or was received.
 */
export async function bookProviderPayment(
  tx: Tx,
  payment: ProviderPaymentRow,
  debtLimit: number,
): Promise<void> {
  const { providerCode, direction, amountMinor, currency, createdAt: at } = payment;
  await table(tx, ProviderPayment).insert(payment);
  const paidMinor = direction === 'RECEIVED' ? amountMinor : -amountMinor;
  await postTransfer(tx, {
    reference: { kind: 'provider-payment', subjectId: providerCode, part: payment.bankReference },
    entries: [
      { account: clearingAccount('bank'), currency, amountMinor: -paidMinor },
      { account: providerAccount(providerCode), currency, amountMinor: paidMinor },
    ],
    at,
  });
  await countDebt(tx, payment, at, debtLimit);
}
