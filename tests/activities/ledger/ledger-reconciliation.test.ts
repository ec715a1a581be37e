import { v7 } from 'uuid';
import {
  ledgerReconciliationWork,
  reconcileLedger,
  wordsOfDrifts,
  type LedgerFindings,
} from '../../../activities/ledger/reconcile-ledger';
import { postTransfer } from '../../../db/ledger/ledger.transitions';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { addUser, at, named, paidIn } from '../../db/ledger/ledger.world';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';
import { takeTurn } from '../administration/job/take-turn';

const own = ownDatabase();

test.each([
  { drifts: 3, unbalancedTransfers: 0 },
  { drifts: 0, unbalancedTransfers: 1 },
])('says what differs: %j', (findings) => {
  expect(wordsOfDrifts(findings)).toContain(
    `${findings.drifts} balances differ from their entries; ${findings.unbalancedTransfers} transfers do not sum to zero`,
  );
});

describe('ledger reconciliation', () => {
  const reconcile = (day: string, minute = 0): Promise<LedgerFindings> =>
    reconcileLedger(
      own.db,
      new Date(Date.parse(`2026-03-${day}T00:00:00Z`) + minute * 60_000),
      new AbortController().signal,
    );
  /** Reconciles until all entries are settled: transactions of other databases of the cluster delay that. */
  async function reconcileUntilSettled(day: string): Promise<void> {
    let minute = 0;
    await eventually(async () => {
      expect(await reconcile(day, minute++)).toEqual({ drifts: 0, unbalancedTransfers: 0 });
      const settled = `SELECT max(settled_entry_id) = (SELECT max(id) FROM ledger_entries) AS all FROM ledger_reconciliations`;
      expect(await firstRow(own.db, settled)).toEqual({ all: true });
    });
  }
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
      await inTransaction(own.db, (tx) => postTransfer(tx, { reference: named(), entries, at }));
    }
    expect(await takeTurn(own.db, ledgerReconciliationWork(own.db), { at: '2026-03-01T00:00:00Z' })).toEqual({
      isDone: true,
      done: 0,
      words: 'Every balance is the sum of its entries.',
    });
    await reconcileUntilSettled('02');
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
      postTransfer(tx, { reference: named(), entries: paidIn(raised!, 1), at }),
    );
    expect(await reconcile('09')).toEqual({ drifts: 1, unbalancedTransfers: 0 });
    expect(await drifts()).toHaveLength(4);
  });

  test('an entry that was not committed at a comparison is seen by the next, although later ones were', async () => {
    const late = await addUser(own.db);
    const early = await addUser(own.db);
    const transaction = await own.owner.sequelize.transaction();
    const tx = { ...own.owner, transaction };
    await postTransfer(tx, { reference: named(), entries: paidIn(late, 10), at });
    await inTransaction(own.db, (other) =>
      postTransfer(other, { reference: named(), entries: paidIn(early, 10), at }),
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

  interface Balance {
    account: string;
    currency: string;
    minor: number;
  }
  const paid = () =>
    rows<Balance>(own.db, `SELECT * FROM platform_balances WHERE account ^@ 'payments' ORDER BY currency`);
  const summed = () =>
    rows<Balance>(
      own.db,
      `SELECT account, currency, sum(amount_minor)::bigint AS minor FROM ledger_entries
        WHERE account = 'payments' GROUP BY 1, 2 ORDER BY currency`,
    );

  test('the balances of the platform reach an entry below which nothing is missing, and what comes later is in them', async () => {
    const slow = await summed();
    expect(slow.length).toBeGreaterThan(1);
    expect(await paid()).toEqual(slow);

    const [early, late] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const transaction = await own.owner.sequelize.transaction();
    const open = { ...own.owner, transaction };
    await postTransfer(open, { reference: named(), entries: paidIn(late!, 10), at });
    await inTransaction(own.db, (tx) =>
      postTransfer(tx, { reference: named(), entries: paidIn(early!, 5), at }),
    );
    for (const minute of [1, 2, 3]) await reconcile('16', minute);
    const minorOf = async () => (await paid()).find(({ currency }) => currency === 'USD')!.minor;
    const before = slow.find(({ currency }) => currency === 'USD')!.minor;
    expect(await minorOf()).toBe(before - 5);
    await transaction.commit();
    expect(await minorOf()).toBe(before - 15);
    await reconcileUntilSettled('17');
    expect(await minorOf()).toBe(before - 15);
    expect(
      await firstRow(
        own.db,
        `SELECT balance_minor FROM ledger_checkpoints WHERE account = 'payments' AND currency = 'USD'`,
      ),
    ).toEqual({ balanceMinor: before - 15 });
  });

  test('an entry of a later transaction than that of a later entry is not lost below the checkpoint', async () => {
    const [slow, waiting] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const open = async () => ({ ...own.owner, transaction: await own.owner.sequelize.transaction() });
    const [first, second] = [await open(), await open()];
    // Has its number first, and inserts its entries last.
    await execute(
      first,
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
       VALUES (gen_random_uuid(), 'seed-wallet', 'early', now())`,
    );
    await postTransfer(second, { reference: named(), entries: paidIn(waiting!, 3), at });
    await execute(
      first,
      `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
       SELECT t.id, l.account, l.user_id, 'USD', l.minor, now() FROM ledger_transfers t,
         (VALUES ('wallet', $1::uuid, 2), ('payments', NULL, -2)) AS l (account, user_id, minor) WHERE t.subject_id = 'early'`,
      [slow],
    );
    await first.transaction.commit();
    for (const minute of [10, 11, 12]) await reconcile('17', minute);
    await second.transaction.commit();
    await reconcileUntilSettled('18');
    expect(await paid()).toEqual(await summed());
  });

  test('a restore on a server whose transactions have lower numbers leaves the checkpoints where they are', async () => {
    const reached = () => firstRow(own.db, 'SELECT max(entry_id) AS entry FROM ledger_checkpoints');
    const [before, entry] = [await paid(), await reached()];
    await inTransaction(own.owner, (tx) =>
      execute(tx, 'UPDATE ledger_reconciliations SET transaction_id = transaction_id + 1000000000'),
    );
    expect((await reconcile('18', 500)).drifts).toBe(0);
    expect([await paid(), await reached()]).toEqual([before, entry]);
    await reconcileUntilSettled('19');
    expect(await paid()).toEqual(before);
  });

  test('a checkpoint that is gone is named and made again when the whole is compared', async () => {
    await tamper(`DELETE FROM ledger_checkpoints WHERE account = 'payments' AND currency = $1`, ['EUR']);
    const right = await summed();
    expect(await paid()).not.toEqual(right);
    const before = (await drifts()).length;
    await reconcile('22');
    expect((await drifts()).length).toBeGreaterThan(before);
    expect(await paid()).toEqual(right);
  });

  test('a wrong balance of the platform is named and corrected when the whole is compared', async () => {
    const sum = `SELECT sum(amount_minor)::bigint AS minor FROM ledger_entries WHERE account = 'payments' AND currency = 'USD'`;
    const { minor } = (await firstRow<{ minor: number }>(own.db, sum))!;
    await tamper(
      `UPDATE ledger_checkpoints SET balance_minor = balance_minor + 1 WHERE account = 'payments' AND currency = $1`,
      ['USD'],
    );
    const before = (await drifts()).length;
    expect((await reconcile('23')).drifts).toBe(0);
    expect((await reconcile('29')).drifts).toBeGreaterThan(0);
    expect((await drifts()).length).toBeGreaterThan(before);
    expect(await drifts()).toContainEqual({
      userId: null,
      account: 'payments',
      currency: 'USD',
      balanceMinor: minor + 1,
      entriesMinor: minor,
    });
    expect(
      await firstRow(
        own.db,
        `SELECT balance_minor FROM ledger_checkpoints WHERE account = 'payments' AND currency = 'USD'`,
      ),
    ).toEqual({ balanceMinor: minor });
  });

  test('counts transfers that do not sum to zero', async () => {
    const id = v7();
    await tamper(
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'forged', now())`,
      [id],
    );
    await tamper(
      `INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at) VALUES ($1, 'sales', 'USD', 9, now())`,
      [id],
    );
    expect(await reconcile('30')).toMatchObject({ unbalancedTransfers: 1 });
  });
});
