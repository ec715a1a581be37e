import { bankReference } from '../../commerce/payment/bank-reference';
import { transferOf } from '../../commerce/payment/capture.reads';
import { takeBankReference } from '../../commerce/payment/sent-reference.transitions';
import { clearingAccount } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { providerAccount } from '../participation/participation-ledger.transitions';
import { countDebt } from './provider-debt.transitions';
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

/**
 * Records a payment, books it, and counts what its provider owes then, of which `debtLimit` is the most, in whole units. The
 * caller has locked the provider and taken the reference. What it recovers of a loss leaves the debt as it is. The database
 * refuses parts that are beyond the standing of the provider.
 */
export async function bookProviderPayment(
  tx: Tx,
  payment: ProviderPaymentRow,
  debtLimit: number,
): Promise<void> {
  const { providerCode, direction, amountMinor, recoveredMinor, currency, createdAt: at } = payment;
  await table(tx, ProviderPayment).insert(payment);
  const paidMinor = direction === 'RECEIVED' ? amountMinor : -amountMinor;
  await postTransfer(tx, {
    reference: { kind: 'provider-payment', subjectId: providerCode, part: payment.bankReference },
    entries: [
      { account: clearingAccount('bank'), currency, amountMinor: -paidMinor },
      { account: providerAccount(providerCode), currency, amountMinor: paidMinor - recoveredMinor },
      { account: 'losses', currency, amountMinor: recoveredMinor },
    ],
    at,
  });
  await countDebt(tx, payment, at, debtLimit);
}
