import { v7 } from 'uuid';
import { down, up } from '../../db/schema/migrations/0029-clearing-accounts';
import { rows } from '../../db/sql/query';
import { takenByTheBank } from '../activities/commerce/chargeback/chargebacks';
import { violations } from '../support/checks/violations';
import { ownDatabase } from '../support/servers/database';
import { make } from '../support/builders/make';
import { noteOf, orderSteps, orderToRefund, paidOrder } from '../support/builders/ordering';
import { approve, arrived, askBack } from '../support/builders/refunding';
import { transferToReturn } from '../support/builders/transferring';

const own = ownDatabase();
const now = (): string => new Date().toISOString();

/** Money that came by every provider and went every way. */
async function everythingHappened(): Promise<void> {
  const steps = orderSteps(own.db);
  const returned = await orderToRefund(own.db);
  await steps.completeRefund({ refundId: returned.refundId, providerRefundId: v7(), at: now() });
  await orderToRefund(own.db);
  const { refundId } = await transferToReturn(own.db);
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'OUT-1');
  await steps.settleRefund({ refundId, noteId, at: now() });
  const taken = await paidOrder(own.db);
  await takenByTheBank(own.db, taken, 1_000);
  const cancelled = await paidOrder(own.db);
  await takenByTheBank(own.db, cancelled, 2_000);
  await steps.cancelOrder({
    orderId: cancelled.orderId,
    noteId: await noteOf(own.db, cancelled.userId, null),
    at: now(),
  });
  const wonBack = await arrived(own.db, { taxBp: 1_900, partnerMinor: 700 });
  await takenByTheBank(own.db, wonBack, 3_000);
  await takenByTheBank(own.db, wonBack, 3_000, 'RETURNED');
  const asked = await askBack(own.db, wonBack, { items: [{ itemId: wonBack.items[0]!.id, quantity: 1 }] });
  await approve(own.db, asked);
}

const accounts = async (): Promise<string[]> =>
  (
    await rows<{ account: string }>(
      own.db,
      `SELECT DISTINCT account FROM ledger_entries WHERE starts_with(account, 'clearing_') OR account = 'losses' ORDER BY 1`,
    )
  ).map(({ account }) => account);

test('what was booked without clearing accounts is moved to them, by transfers of correction; and back', async () => {
  await everythingHappened();
  expect(await violations(own.db)).toEqual([]);
  const before = await rows(own.db, 'SELECT reference FROM ledger_transfers ORDER BY reference');
  const query = own.owner.sequelize.getQueryInterface();
  await down(query);
  expect(await accounts()).toEqual([]);

  await up(query);
  expect(await accounts()).toEqual(['clearing_bank', 'clearing_sandbox', 'losses']);
  expect(await violations(own.db)).toEqual([]);
  const kept = await rows(
    own.db,
    `SELECT reference FROM ledger_transfers WHERE reference NOT LIKE 'clearing:%' ORDER BY reference`,
  );
  expect(kept).toEqual(before);
});
