import { earnedPeriods } from '../../../db/partners/earnings/earnings.reads';
import { openingMinor, statementLines, statementSums } from '../../../db/partners/earnings/statement.reads';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { monthOf } from '../../../workflows/partners/statement/statement.rules';
import { plansOf } from '../../support/checks/plans-of';
import { make } from '../../support/builders/make';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const MOVEMENTS = 6_000;
const month = monthOf('2026-03');
let owner = { userId: '', currency: 'USD' };

/** Commissions of 0.01 to this user, one a minute from the beginning of March on, five of them at each moment. */
const commissions = (userId: string, series: string) =>
  inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    // VACUUM marks no page as visible to all of which the commit is not on disk.
    await execute(tx, 'SET LOCAL synchronous_commit = on');
    await execute(
      tx,
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
       SELECT ${TRANSFER}, 'commission', gen_random_uuid(), ${AT} FROM generate_series(1, ${MOVEMENTS}) AS n`,
      [series],
    );
    await execute(
      tx,
      `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
       SELECT ${TRANSFER}, a.account, CASE WHEN a.minor > 0 THEN $2::uuid END, 'USD', a.minor, ${AT}
       FROM generate_series(1, ${MOVEMENTS}) AS n, (VALUES ('partner_pending', 1), ('commission_expense', -1)) AS a (account, minor)`,
      [series, userId],
    );
  });
const TRANSFER = `('00000000-0000-7000-' || $1 || '-' || lpad(to_hex(n), 12, '0'))::uuid`;
const AT = `timestamptz '2026-03-01T00:00:00Z' + (n / 5) * interval '5 minutes'`;

beforeAll(async () => {
  owner = { userId: (await make.partner(own.db)).userId, currency: 'USD' };
  await commissions(owner.userId, '8000');
  await commissions((await make.partner(own.db)).userId, '9000');
  await vacuum(own.owner, 'ledger_entries', 'ledger_transfers');
});

/** The rows that a plan reads of the entries of partners. */
const entriesRead = (plan: string): number =>
  Number(
    /Index Only Scan using ledger_entries_partner_idx on ledger_entries.*actual .*rows=([\d.]+) /.exec(
      plan,
    )?.[1],
  );

test('each line of a statement is read once, by reads that follow one another, with several at one moment', async () => {
  const found: string[] = [];
  for (let after: Awaited<ReturnType<typeof statementLines>>[number] | null = null; ;) {
    const lines = await statementLines(own.db, owner, month, after, 997);
    found.push(...lines.map(({ transferId }) => transferId));
    if (lines.length < 997) break;
    after = lines.at(-1)!;
  }
  expect(found).toHaveLength(MOVEMENTS);
  expect(new Set(found).size).toBe(MOVEMENTS);
});

test('a read of lines reads its own entries only, in the order of an index, wherever in the month it begins', async () => {
  const first = await statementLines(own.db, owner, month, null, MOVEMENTS - 500);
  for (const after of [null, first.at(-1)!]) {
    const [plan = ''] = await plansOf(own.db, () => statementLines(own.db, owner, month, after, 100));
    expect(plan).not.toMatch(/Seq Scan on ledger_entries/);
    expect(entriesRead(plan)).toBeLessThanOrEqual(101);
  }
});

test('sums, the opening and the months read the entries of the partner alone, each once', async () => {
  const reads = {
    sums: () => statementSums(own.db, owner, month),
    opening: () => openingMinor(own.db, owner, monthOf('2026-04')),
    months: () => earnedPeriods(own.db, owner, { granularity: 'month', from: month.from }),
  };
  expect(await reads.opening()).toBe(MOVEMENTS);
  expect(await reads.sums()).toEqual([{ kind: 'EARNED', minor: MOVEMENTS, count: MOVEMENTS }]);
  for (const [name, read] of Object.entries(reads)) {
    const plans = await plansOf(own.db, read);
    expect([name, plans.map(entriesRead)]).toEqual([name, [MOVEMENTS]]);
  }
});
