import { v7 } from 'uuid';
import { postNewTransfers, postTransfers } from '../../../db/ledger/batch.transitions';
import type { LedgerLine } from '../../../db/ledger/ledger.accounts';
import { balanceOf, entriesOf } from '../../../db/ledger/ledger.reads';
import { InsufficientBalance, postTransfer, type Transfer } from '../../../db/ledger/ledger.transitions';
import { violates } from '../../../db/sql/errors';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Reference } from '../../../workflows/ledger/reference.rules';
import { ownDatabase } from '../../support/servers/database';
import { addUser, at, brokenInvariants, named, nothingBroken, paidIn } from './ledger.world';

const own = ownDatabase();

const post = (entries: LedgerLine[], clawback = false) =>
  inTransaction(own.db, (tx) => postTransfer(tx, { reference: named(), entries, at, clawback }));
const postAll = (transfers: Omit<Transfer, 'at'>[]) =>
  inTransaction(own.db, (tx) => postTransfers(tx, transfers, at));
const refusedBy = async (work: Promise<unknown>, constraint: string): Promise<void> => {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect([violates(error, constraint), error]).toEqual([true, error]);
};

test('an event is named by its kind, its subject and its part, all three', async () => {
  const ada = await addUser(own.db);
  const subjectId = v7();
  const events: Reference[] = [
    { kind: 'order-hold', subjectId, part: 'wallet' },
    { kind: 'order-hold', subjectId, part: 'partner_available' },
    { kind: 'order-release', subjectId, part: 'wallet' },
    { kind: 'order-payment', subjectId },
    { kind: 'order-hold', subjectId: v7(), part: 'wallet' },
  ];
  for (const answer of ['posted', 'already posted'])
    for (const reference of events) {
      const posted = inTransaction(own.db, (tx) =>
        postTransfer(tx, { reference, entries: paidIn(ada, 300), at }),
      );
      expect(await posted).toBe(answer);
    }
  expect(await balanceOf(own.db, ada, 'wallet', 'USD')).toBe(1_500);
  const stored = await entriesOf(own.db, ada, 9);
  expect(stored.map(({ kind, part }) => ({ kind, part })).reverse()).toEqual(
    events.map(({ kind, part = '' }) => ({ kind, part })),
  );
});

describe('holds', () => {
  const USD = 'USD';
  const holding = (userId: string, holdId: string, amountMinor: number): LedgerLine[] => [
    { account: 'wallet', userId, currency: USD, amountMinor: -amountMinor },
    { account: 'payout_hold', holdId, userId, currency: USD, amountMinor },
  ];
  const held = (holdId: string) =>
    firstRow(own.db, 'SELECT user_id, currency, balance_minor FROM ledger_holds WHERE hold_id = $1', [
      holdId,
    ]);

  test('what is held for one thing is released in parts, and never beyond it, whatever else is held', async () => {
    const ada = await addUser(own.db);
    await post(paidIn(ada, 300));
    const [one, other] = [v7(), v7()];
    await post(holding(ada, one, 100));
    await post(holding(ada, other, 200));
    await post(holding(ada, one, -60));
    expect(await held(one)).toEqual({ userId: ada, currency: USD, balanceMinor: 40 });
    await refusedBy(post(holding(ada, one, -41)), 'ledger_holds_not_negative');
    await post(holding(ada, one, -40));
    await refusedBy(post(holding(ada, one, -1)), 'ledger_holds_not_negative');
    expect(await held(one)).toMatchObject({ balanceMinor: 0 });
    expect(await held(other)).toMatchObject({ balanceMinor: 200 });
    expect(await balanceOf(own.db, ada, 'payout_hold', USD)).toBe(200);
    await expect(post(holding(ada, other, -201))).rejects.toThrow(InsufficientBalance);
  });

  test('a hold is of one person and one currency', async () => {
    const [ada, bob] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const id = v7();
    for (const person of [ada!, bob!]) await post([...paidIn(person, 100), ...paidIn(person, 100, 'EUR')]);
    await post(holding(ada!, id, 50));
    await refusedBy(post(holding(bob!, id, 50)), 'ledger_holds_of_one');
    const inEuro = holding(ada!, id, 50).map((line) => ({ ...line, currency: 'EUR' }));
    await refusedBy(post(inEuro), 'ledger_holds_of_one');
    await refusedBy(post([...holding(ada!, v7(), 1), ...holding(bob!, id, 1)]), 'ledger_holds_of_one');
  });

  test('an amount in another account is of no hold, and one that is held is of one', async () => {
    const ada = await addUser(own.db);
    await post(paidIn(ada, 100));
    const lines = holding(ada, v7(), 50);
    const mixed = lines.map(({ holdId: _, ...line }) => line) as LedgerLine[];
    await refusedBy(post(mixed), 'ledger_entries_hold_check');
    const wrong = lines.map((line) => ({ ...line, holdId: v7() })) as LedgerLine[];
    await refusedBy(post(wrong), 'ledger_entries_hold_check');
  });

  test('of releases at the same moment as many succeed as the hold covers', async () => {
    const ada = await addUser(own.db);
    await post(paidIn(ada, 1_000));
    const [one, other] = [v7(), v7()];
    await post(holding(ada, one, 250));
    await post(holding(ada, other, 750));
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => post(holding(ada, one, -50))));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await held(other)).toMatchObject({ balanceMinor: 750 });
  });
});

describe('sets of transfers', () => {
  const earned = (userId: string, amountMinor: number, reference = named()): Omit<Transfer, 'at'> => ({
    reference,
    entries: [
      { account: 'commission_expense', currency: 'USD', amountMinor: -amountMinor },
      { account: 'partner_available', userId, currency: 'USD', amountMinor },
    ],
  });
  const takenBack = (userId: string, amountMinor: number): Omit<Transfer, 'at'> => ({
    ...earned(userId, -amountMinor),
    clawback: true,
  });
  const available = (userId: string) => balanceOf(own.db, userId, 'partner_available', 'USD');

  test('a set gives the same rows as its transfers one by one', async () => {
    const [ada, bob] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const transfersOf = (userId: string) => [
      earned(userId, 100),
      takenBack(userId, 130),
      earned(userId, 20),
      { ...earned(userId, 0), entries: paidIn(userId, 7) },
    ];
    await postAll(transfersOf(ada!));
    for (const each of transfersOf(bob!))
      await inTransaction(own.db, (tx) => postTransfer(tx, { ...each, at }));
    const booked = (userId: string) =>
      rows(
        own.db,
        `SELECT e.account, e.currency, e.amount_minor, e.created_at, t.clawback, b.balance_minor
           FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
             JOIN ledger_balances b USING (user_id, account, currency)
          WHERE e.user_id = $1 ORDER BY e.account, e.amount_minor`,
        [userId],
      );
    expect(await booked(ada!)).toEqual(await booked(bob!));
    expect(await available(ada!)).toBe(-10);
  });

  test('clawbacks count after what the same set spends: only what is spent has to be covered', async () => {
    const [ada, bob] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const spent = (userId: string, amountMinor: number) => earned(userId, -amountMinor);
    await postAll([earned(ada!, 10), spent(ada!, 10), takenBack(ada!, 5)]);
    expect(await available(ada!)).toBe(-5);
    await expect(postAll([earned(bob!, 10), spent(bob!, 11), takenBack(bob!, 5)])).rejects.toThrow();
    expect(await available(bob!)).toBe(0);
  });

  test('sets that cross queue up: nobody has to try again', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => addUser(own.db)));
    let tries = 0;
    const references = Array.from({ length: 40 }, () => named());
    const set = references.map((reference, i) => earned(people[i % 4]!, 1, reference));
    const crossing = Array.from({ length: 12 }, (_, n) => (n % 2 ? set.toReversed() : set.slice(n)));
    await Promise.all(
      crossing.map((transfers) =>
        inTransaction(own.db, (tx) => {
          tries++;
          return postTransfers(tx, transfers, at);
        }),
      ),
    );
    expect(tries).toBe(crossing.length);
    const sums = await Promise.all(people.map(available));
    expect(sums.reduce((sum, each) => sum + each)).toBe(references.length);
    expect(await brokenInvariants(own.db)).toEqual(nothingBroken);
  });

  test('a set and a transaction that locks its users in the order of their ids queue up: neither has to try again', async () => {
    const [ada, bob] = (await Promise.all([1, 2].map(() => addUser(own.db)))).sort();
    let tries = 0;
    const locking = () =>
      inTransaction(own.db, async (tx) => {
        tries++;
        for (const id of [ada, bob]) await execute(tx, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
      });
    const posting = () =>
      inTransaction(own.db, (tx) => {
        tries++;
        return postTransfers(tx, [earned(bob!, 1), earned(ada!, 1)], at);
      });
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? locking() : posting())));
    expect(tries).toBe(60);
  });

  test('one that is named twice in a set with its part, or was posted before with other entries, is refused', async () => {
    const ada = await addUser(own.db);
    const once = earned(ada, 10);
    await expect(postAll([once, { ...once }])).rejects.toThrow('named twice');
    await expect(
      inTransaction(own.db, (tx) => postNewTransfers(tx, [once, { ...once }], at)),
    ).rejects.toThrow('named twice');
    await postAll([once]);
    await postAll([
      { ...once, reference: { kind: 'commission-adjustment', subjectId: ada, part: '1' } },
      { ...once, reference: { kind: 'commission-adjustment', subjectId: ada, part: '2' } },
    ]);
    await expect(postAll([{ ...once, entries: earned(ada, 11).entries }])).rejects.toThrow('other entries');
    expect(await available(ada)).toBe(30);
  });
});

test('a transfer of 5,000 entries is counted once, not once an entry', async () => {
  const ada = await addUser(own.db);
  const triggers = await inTransaction(own.db, async (tx) => {
    const id = v7();
    await execute(
      tx,
      `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'many', now())`,
      [id],
    );
    const plan = await firstRow<{
      'QUERY PLAN': [{ Triggers: { 'Trigger Name': string; Calls: number }[] }];
    }>(
      tx,
      `EXPLAIN (ANALYZE, FORMAT JSON)
       INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
       SELECT $1, CASE WHEN n > 0 THEN 'wallet' ELSE 'sales' END, CASE WHEN n > 0 THEN $2::uuid END, 'USD', n, now()
         FROM generate_series(-2500, 2500) AS n WHERE n <> 0`,
      [id, ada],
    );
    return Object.values(plan!)[0]![0].Triggers;
  });
  const calls = triggers.filter((each) => /^ledger_/.test(each['Trigger Name'])).map(({ Calls }) => Calls);
  expect(calls).toEqual([1, 1]);
  expect(await balanceOf(own.db, ada, 'wallet', 'USD')).toBe((2_500 * 2_501) / 2);
});
