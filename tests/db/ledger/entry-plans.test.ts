import { entriesOf } from '../../../db/ledger/ledger.reads';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { plansOf } from '../../support/checks/plans-of';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';
import { addUser } from './ledger.world';

const own = ownDatabase();
const MOVEMENTS = 5_000;
const USERS = 10;
const FEW = 3;
let userId = '';

/** The transfer of a movement, by its number. */
const TRANSFER = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/** Movements of users, one user after the other; the oldest few of each are of the wallet, all others of a partner's balance. */
beforeAll(async () => {
  const users: string[] = [];
  while (users.length < USERS) users.push(await addUser(own.owner));
  userId = users[0]!;
  await inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(
      tx,
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
       SELECT ${TRANSFER}, 'commission', gen_random_uuid(), now() FROM generate_series(1, ${MOVEMENTS}) AS n`,
    );
    await execute(
      tx,
      `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
       SELECT ${TRANSFER}, CASE WHEN n <= ${FEW} THEN 'wallet' ELSE 'partner_pending' END, u, 'USD', n, now()
       FROM generate_series(1, ${MOVEMENTS}) AS n, unnest($1::uuid[]) AS u ORDER BY u, n`,
      [users],
    );
  });
  await vacuum(own.owner, 'ledger_entries', 'ledger_transfers');
});

test.each([
  ['wallet', [3, 2, 1]],
  ['payout_hold', []],
] as const)('the movements of %s are read without those of the other accounts', async (account, amounts) => {
  const found = await entriesOf(own.db, userId, 100, account);
  expect(found.map(({ amountMinor }) => amountMinor)).toEqual(amounts);
  const [plan = ''] = await plansOf(own.db, () => entriesOf(own.db, userId, 100, account));
  expect(plan).toMatch(/Index Scan.* using ledger_entries_account_idx on ledger_entries/);
  expect(plan).not.toMatch(/Rows Removed by Filter/);
});

test('the newest movements of an account with many, and of all accounts, are read in the order of an index', async () => {
  for (const account of ['partner_pending', null] as const) {
    const [plan = ''] = await plansOf(own.db, () => entriesOf(own.db, userId, 100, account));
    expect(plan).toMatch(
      /Index Scan Backward using ledger_entries_(account|user)_idx on ledger_entries.*actual .*rows=100(\.00)? /,
    );
    expect(plan).not.toMatch(/Sort/);
  }
});
