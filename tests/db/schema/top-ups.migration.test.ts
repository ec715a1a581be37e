import { migrationList } from '../../../db/schema/migration-list';
import { firstRow } from '../../../db/sql/query';
import { attempted } from '../../support/builders/partnering/entering';
import { withPayments } from '../../support/builders/wallets/paid-for';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

test('with payments of top-ups it is taken back, and comes again; payments of other things stay', async () => {
  const { attemptId } = await attempted(own.db);
  await withPayments(own.db);
  const { up, down, outsideTransaction } = migrationList.find(({ name }) => name === '0071-top-ups')!;
  expect(outsideTransaction).toBe(true);
  const query = own.owner.sequelize.getQueryInterface();
  // Each of its steps may be repeated after a kill.
  for (const _ of [1, 2]) await down(query);
  expect(await firstRow(own.owner, `SELECT to_regclass('top_ups') AS found`)).toEqual({ found: null });
  expect(
    await firstRow(own.owner, 'SELECT count(*)::int AS n, min(id::text) AS id FROM payment_attempts'),
  ).toEqual({
    ...{ n: 1, id: attemptId },
  });
  for (const _ of [1, 2]) await up(query);
  expect(
    await firstRow(
      own.owner,
      `SELECT count(*)::int AS n FROM pg_constraint WHERE conname LIKE '%\\_top\\_up\\_fkey' AND convalidated`,
    ),
  ).toEqual({ n: 4 });
  await withPayments(own.db);
});
