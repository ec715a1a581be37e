import { execute, firstRow, type Tx } from '../../sql/query';
import { bankReference } from './bank-reference';

/**
 * Takes the reference of a transfer from our bank account for one payment; false if it has paid a refund, a withdrawal or a payout
 * already. Nobody else takes it until the transaction ends: each table by itself knows only its own references.
 */
export async function takeBankReference(tx: Tx, reference: string): Promise<boolean> {
  await execute(
    tx,
    `SELECT pg_advisory_xact_lock(hashtextextended('bank-reference:' || ${bankReference('$1')}, 0))`,
    [reference],
  );
  const taken = await firstRow(
    tx,
    `SELECT 1 FROM payment_refunds WHERE ${bankReference('settlement_reference')} = ${bankReference('$1')}
     UNION ALL
     SELECT 1 FROM investment_withdrawals
     WHERE provider = 'bank' AND ${bankReference('transfer_reference')} = ${bankReference('$1')}
     UNION ALL
     SELECT 1 FROM payouts WHERE provider = 'bank' AND ${bankReference('transfer_reference')} = ${bankReference('$1')}`,
    [reference],
  );
  return taken === null;
}
