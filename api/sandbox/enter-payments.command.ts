import {
  insertSandboxPayment,
  lockSandboxPayment,
  sandboxOutcomes,
  type SandboxEntry,
  type SandboxPress,
  type SandboxReport,
} from '../../db/commerce/sandbox/sandbox.writes';
import type { Db } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import type { PaymentOutcome } from '../../workflows/commerce/payment/payment-report.rules';

/**
 * Records the payments that follow from a press on the page, with their reports, in one transaction. `decide` gets what is
 * recorded under this key already; two presses at once are decided one after the other.
 */
export const enterSandboxPayments = (
  db: Db,
  press: SandboxPress,
  decide: (recorded: readonly PaymentOutcome[]) => readonly SandboxEntry[],
): Promise<SandboxReport[]> =>
  inTransaction(db, async (tx) => {
    await lockSandboxPayment(tx, press.key);
    const reports: SandboxReport[] = [];
    for (const entry of decide(await sandboxOutcomes(tx, press.key)))
      reports.push(await insertSandboxPayment(tx, press, entry));
    return reports;
  });
