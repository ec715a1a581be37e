import { v7 } from 'uuid';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { reconciliationProcess } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import { startOptions } from '../../../workflows/kit/process';
import { insertAll } from '../../support/builders/make/insert';
import { utcDayAgo } from '../../support/builders/make/reconciliations';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

/** More than one page. */
const PAYMENTS = 250;

const world = ownKillingWorld();

/** Payments in the sandbox that nobody here knows, each with a fee. */
async function unknownPayments(day: string): Promise<void> {
  const payments = Array.from({ length: PAYMENTS }, (_, n) => ({
    ...{
      id: v7(),
      payment_key: v7(),
      amount_minor: 1_000 + n,
      fee_minor: 3,
      currency: 'USD',
      status: 'PAID',
    },
    created_at: `${day}T12:00:00Z`,
  }));
  await insertAll(world.db, 'sandbox_payments', payments);
}

const someoneWaits = (): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });

it.each([
  [3, 'while a page is recorded', 'LOCK TABLE provider_movements IN SHARE MODE'],
  [4, 'before the fees', 'LOCK TABLE ledger_transfers IN SHARE MODE'],
  [5, 'between fees and comparison', 'LOCK TABLE reconciliation_differences IN SHARE MODE'],
])('a day whose worker is killed comes to the same: day %i, %s', async (ago, _, lock) => {
  const day = utcDayAgo(ago);
  await unknownPayments(day);
  const input = { provider: 'sandbox', day };
  await inTransaction(world.owner, async (tx) => {
    await execute(tx, lock);
    await world.temporal.workflow.start(
      reconciliationProcess.type,
      startOptions(reconciliationProcess, input),
    );
    await someoneWaits();
    await world.worker.kill();
  });
  await world.worker.start();
  await world.temporal.workflow.getHandle(reconciliationProcess.id(input)).result();
  const [outcome] = await rows(
    world.db,
    `SELECT (SELECT count(*)::int FROM reconciliation_differences WHERE day = $1 AND resolved_at IS NULL) AS open,
         (SELECT count(*)::int FROM ledger_transfers t JOIN provider_movements m ON m.day = $1 AND m.kind = 'FEE'
           AND t.kind = 'fee' AND t.subject_id = 'sandbox' AND t.part = m.provider_id) AS fees,
         (SELECT movements FROM provider_reconciliations WHERE day = $1 AND compared_at IS NOT NULL) AS movements`,
    [day],
  );
  expect(outcome).toEqual({ open: PAYMENTS, fees: PAYMENTS, movements: 2 * PAYMENTS });
  const broken = (await violations(world.db)).filter((line) => /^(ledger|reconciliation)/.test(line));
  expect(broken).toEqual([]);
});
