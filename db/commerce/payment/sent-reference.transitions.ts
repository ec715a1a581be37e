import { execute, firstRow, type Tx } from '../../sql/query';
import { bankReference } from './bank-reference';

/** Nobody else takes the reference until the transaction ends: each table by itself knows only its own references. */
async function lockBankReference(tx: Tx, reference: string): Promise<void> {
  await execute(
    tx,
    `SELECT pg_advisory_xact_lock(hashtextextended('bank-reference:' || ${bankReference('$1')}, 0))`,
    [reference],
  );
}

const OF_PROVIDER_PAYMENT = `SELECT 1 FROM investment_provider_payments
     WHERE ${bankReference('bank_reference')} = ${bankReference('$1')}`;

/**
 * Takes the reference of a transfer from our bank account for one payment; false if it has paid a refund, a withdrawal or a payout
 * already, or is that of a payment of an investment provider.
 */
export async function takeBankReference(tx: Tx, reference: string): Promise<boolean> {
  await lockBankReference(tx, reference);
  const taken = await firstRow(
    tx,
    `SELECT 1 FROM payment_refunds WHERE ${bankReference('settlement_reference')} = ${bankReference('$1')}
     UNION ALL
     SELECT 1 FROM investment_withdrawals
     WHERE provider = 'bank' AND ${bankReference('transfer_reference')} = ${bankReference('$1')}
     UNION ALL
     SELECT 1 FROM payouts WHERE provider = 'bank' AND ${bankReference('transfer_reference')} = ${bankReference('$1')}
     UNION ALL
     ${OF_PROVIDER_PAYMENT}`,
    [reference],
  );
  return taken === null;
}

/** Takes the reference of a transfer that people sent to our bank account; false if it is that of a payment of an investment provider. */
export async function takeReceivedReference(tx: Tx, reference: string): Promise<boolean> {
  await lockBankReference(tx, reference);
  return (await firstRow(tx, OF_PROVIDER_PAYMENT, [reference])) === null;
}
