import { MockActivityEnvironment } from '@temporalio/testing';
import { v7 } from 'uuid';
import { ledgerReconciliationActivities } from '../../../activities/ledger/ledger-reconciliation.activities';
import { postTransfer } from '../../../db/ledger/ledger.transitions';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { LedgerFindings } from '../../../workflows/ledger/ledger-reconciliation.contract';
import { addUser, at, paidIn } from '../../db/ledger/ledger.world';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const reconcile = (day: string): Promise<LedgerFindings> =>
  new MockActivityEnvironment().run(ledgerReconciliationActivities({ longDb: own.db }).reconcileLedger, {
    at: `2026-03-${day}T00:00:00.000Z`,
  });
const drifts = () =>
  rows(
    own.db,
    `SELECT user_id, account, currency, balance_minor, entries_minor
       FROM ledger_drifts ORDER BY entries_minor, balance_minor`,
  );
/** Writes past every trigger and constraint, as only a superuser can. */
const tamper = (statement: string, bind: unknown[]) =>
  inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    expect(await execute(tx, statement, bind)).toBe(1);
  });

test('names every balance that is not the sum of its entries, once a run; the whole ledger once a week', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => addUser(own.db)));
  for (const person of people) {
    const entries = [...paidIn(person, 1_000), ...paidIn(person, 70, 'EUR')];
    await inTransaction(own.db, (tx) => postTransfer(tx, { reference: `top-up:${person}`, entries, at }));
  }
  for (const day of ['01', '02']) expect(await reconcile(day)).toEqual({ drifts: 0, unbalancedTransfers: 0 });
  expect(await drifts()).toEqual([]);

  const [raised, lost, invented] = people;
  await tamper(`UPDATE ledger_balances SET balance_minor = 1001 WHERE user_id = $1 AND currency = 'USD'`, [
    raised,
  ]);
  await tamper(`DELETE FROM ledger_balances WHERE user_id = $1 AND currency = 'EUR'`, [lost]);
  await tamper(`INSERT INTO ledger_balances VALUES ($1, 'payout_hold', 'USD', 5, now())`, [invented]);

  const expected = [
    { userId: invented, account: 'payout_hold', currency: 'USD', balanceMinor: 5, entriesMinor: 0 },
    { userId: lost, account: 'wallet', currency: 'EUR', balanceMinor: 0, entriesMinor: 70 },
    { userId: raised, account: 'wallet', currency: 'USD', balanceMinor: 1001, entriesMinor: 1000 },
  ];
  expect(await reconcile('03')).toEqual({ drifts: 0, unbalancedTransfers: 0 });
  expect(await reconcile('08')).toEqual({ drifts: 3, unbalancedTransfers: 0 });
  expect(await reconcile('08')).toEqual({ drifts: 3, unbalancedTransfers: 0 });
  expect(await drifts()).toEqual(expected);
  await inTransaction(own.db, (tx) =>
    postTransfer(tx, { reference: `top-up again:${raised}`, entries: paidIn(raised!, 1), at }),
  );
  expect(await reconcile('09')).toEqual({ drifts: 1, unbalancedTransfers: 0 });
  expect(await drifts()).toHaveLength(4);
});

test('an entry that was not committed at a comparison is seen by the next, although later ones were', async () => {
  const late = await addUser(own.db);
  const early = await addUser(own.db);
  const transaction = await own.owner.sequelize.transaction();
  const tx = { ...own.owner, transaction };
  await postTransfer(tx, { reference: `late:${late}`, entries: paidIn(late, 10), at });
  await inTransaction(own.db, (other) =>
    postTransfer(other, { reference: `early:${early}`, entries: paidIn(early, 10), at }),
  );
  await reconcile('10');
  await reconcile('11'); // The highest entry that was seen is above one that nobody has seen.
  await execute(tx, 'SET LOCAL session_replication_role = replica');
  await execute(tx, 'UPDATE ledger_balances SET balance_minor = 11 WHERE user_id = $1', [late]);
  await transaction.commit();
  const before = (await drifts()).length;
  expect((await reconcile('12')).drifts).toBeGreaterThan(0);
  expect((await drifts()).slice(-before - 1)).toContainEqual(
    expect.objectContaining({ userId: late, balanceMinor: 11, entriesMinor: 10 }),
  );
  for (const day of ['13', '14']) await reconcile(day); // Seen, and settled: it is not read again.
  expect((await reconcile('15')).drifts).toBeGreaterThan(0); // The whole again.
});

test('counts transfers that do not sum to zero', async () => {
  const id = v7();
  await tamper(`INSERT INTO ledger_transfers (id, reference, created_at) VALUES ($1, 'forged', now())`, [id]);
  await tamper(
    `INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at) VALUES ($1, 'sales', 'USD', 9, now())`,
    [id],
  );
  expect(await reconcile('16')).toMatchObject({ unbalancedTransfers: 1 });
});
