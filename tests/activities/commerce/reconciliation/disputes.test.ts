import { execute } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { recorded } from './our-records';
import { at, comparing, DAY_MS, dayBeside, openWith, TheirStatement } from './their-statement';

const own = ownDatabase();

type Kind = 'CHARGEBACK' | 'CHARGEBACK_RETURNED';

/** A movement of the dispute `d`. */
const said = (statement: TheirStatement, kind: Kind, providerId: string, hours: number, amountMinor = 900) =>
  statement.says({ kind, providerId, chargebackId: 'd', amountMinor, at: at(hours) });

const runDays = async (statement: TheirStatement, days: readonly number[], now?: Date): Promise<void> => {
  for (const day of days) await comparing(own.db, statement).run(dayBeside(day), now);
};

test('a dispute that takes money and returns it is one of ours, whatever the provider calls each movement', async () => {
  const statement = new TheirStatement('won');
  const ours = { kind: 'CHARGEBACK' as const, providerId: 'd', amountMinor: 900, at: at(10) };
  await recorded(own, statement.code, ours);
  said(statement, 'CHARGEBACK', 'txn_1', 10);
  await runDays(statement, [-1, 0, 1]);
  expect(await openWith(own.db, statement.code)).toEqual([]);
  statement.movements[0]!.amountMinor = 901;
  await runDays(statement, [0]);
  expect(await openWith(own.db, statement.code)).toMatchObject([{ kind: 'AMOUNT', providerId: 'txn_1' }]);
});

test('a dispute that takes money again, and once more, is reported for each time', async () => {
  const statement = new TheirStatement('again');
  const { ourId } = await recorded(own, statement.code, {
    ...{ kind: 'CHARGEBACK', providerId: 'd', amountMinor: 900, at: at(10) },
  });
  said(statement, 'CHARGEBACK', 'txn_1', 10);
  said(statement, 'CHARGEBACK', 'txn_3', 14, 899);
  said(statement, 'CHARGEBACK', 'txn_5', 34);
  const twice = (providerId: string) => ({
    ...{ kind: 'TWICE', movementKind: 'CHARGEBACK', providerId, ourId },
  });
  await runDays(statement, [-1, 0]);
  expect(await openWith(own.db, statement.code)).toEqual([twice('txn_3')]);
  await runDays(statement, [1, 0]);
  expect(await openWith(own.db, statement.code)).toEqual([twice('txn_3'), twice('txn_5')]);
});

test('one that takes money again is reported also when what was said of the first time is deleted', async () => {
  const statement = new TheirStatement('long-ago');
  await recorded(own, statement.code, {
    ...{ kind: 'CHARGEBACK', providerId: 'd', amountMinor: 900, at: at(-40 * 24) },
  });
  said(statement, 'CHARGEBACK', 'txn_3', 10);
  await runDays(statement, [-1, 0]);
  expect(await openWith(own.db, statement.code)).toMatchObject([{ kind: 'TWICE', providerId: 'txn_3' }]);
});

test.each([
  ['has arrived', 'kept'],
  ['is under way', 'kept-pending'],
])(
  'a transfer that %s, and is there twice, stays open when the first of the two is deleted',
  async (_, code) => {
    const statement = new TheirStatement(code);
    const { ourId, reference } = await recorded(own, statement.code, {
      ...{ kind: 'TRANSFER_OUT', providerId: 't1', amountMinor: 500, at: at(10) },
    });
    if (code === 'kept-pending')
      await execute(
        own.owner,
        `UPDATE investment_withdrawals SET status = 'PROCESSING', ended_at = NULL, transfer_reference = NULL,
         details = 'sealed' WHERE id = $1`,
        [ourId],
      );
    const sent = { kind: 'TRANSFER_OUT' as const, reference, amountMinor: 500 };
    statement.says({ ...sent, providerId: 't1', at: at(10) });
    statement.says({ ...sent, providerId: 't2', at: at(3 * 24) });
    await runDays(statement, [-1, 0, 1, 2, 3]);
    // What is under way here is booked by `recorded` all the same.
    const moved = async () =>
      (await openWith(own.db, statement.code)).filter(({ movementKind }) => movementKind !== null);
    const twice = [{ kind: 'TWICE', movementKind: 'TRANSFER_OUT', providerId: 't2', ourId }];
    expect(await moved()).toEqual(twice);
    const later = new Date(Date.now() + 25 * DAY_MS);
    await execute(own.db, `DELETE FROM provider_movements WHERE provider = $1 AND provider_id = 't1'`, [
      code,
    ]);
    await runDays(statement, [3], later);
    expect(await moved()).toEqual(twice);
  },
);
