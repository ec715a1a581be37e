import {
  insertSandboxPayment,
  lockSandboxPayment,
  sandboxOutcomes,
  type SandboxEntry,
  type AttemptedPayment,
  type SandboxReport,
} from '../../db/commerce/sandbox/sandbox.writes';
import type { Db } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import type { PaymentOutcome } from '../../workflows/commerce/payment/payment-report.rules';

/**
 * Records the payments that follow from an action on the page, with their reports, in one transaction. `decide` gets what is
 * recorded under this key already; two actions at once are decided one after the other.
 */
export const enterSandboxPayments = (
  db: Db,
  payment: AttemptedPayment,
  decide: (recorded: readonly PaymentOutcome[]) => readonly SandboxEntry[],
): Promise<SandboxReport[]> =>
  inTransaction(db, async (tx) => {
    await lockSandboxPayment(tx, payment.key);
    const reports: SandboxReport[] = [];
    for (const entry of decide(await sandboxOutcomes(tx, payment.key)))
      reports.push(await insertSandboxPayment(tx, payment, entry));
    return reports;
  });
