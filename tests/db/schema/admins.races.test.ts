import {
  lockStayingSuperAdmins,
  setRoles,
} from '../../../db/identity/user-administration/super-admin.writes';
import { firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';

const own = ownDatabase();

test('a read of the remaining SUPER_ADMINs waits for a removal under way', async () => {
  const [first, second] = [await make.superAdmin(own.db), await make.superAdmin(own.db)];
  let answered: string[] | undefined;
  const asking = await inTransaction(own.db, async (tx) => {
    expect((await lockStayingSuperAdmins(tx)).sort()).toEqual([first.id, second.id].sort());
    const other = inTransaction(own.db, lockStayingSuperAdmins).then((ids) => (answered = ids));
    await eventually(async () => {
      const waiting = await firstRow(
        own.owner,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (waiting === null && answered === undefined) throw new Error('It has not asked yet.');
    });
    await setRoles(tx, first.id, ['USER'], new Date());
    return { other };
  });
  expect(await asking.other).toEqual([second.id]);
});
