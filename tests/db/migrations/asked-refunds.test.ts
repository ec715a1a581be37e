import { down, up } from '../../../db/schema/migrations/0043-asked-refunds';
import { firstRow } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { orderToRefund } from '../../support/builders/ordering';

const own = ownDatabase();

test('refunds that are older than the migration count as asked for', async () => {
  const { refundId } = await orderToRefund(own.db);
  const asked = () =>
    firstRow<{ isAsked: boolean }>(
      own.db,
      'SELECT asked_at IS NOT NULL AS is_asked FROM payment_refunds WHERE id = $1',
      [refundId],
    );
  expect(await asked()).toEqual({ isAsked: false });
  const query = own.owner.sequelize.getQueryInterface();
  await down(query);
  await up(query);
  expect(await asked()).toEqual({ isAsked: true });
});
