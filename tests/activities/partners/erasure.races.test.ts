import { tmpdir } from 'node:os';
import { eraseDueAccount } from '../../../activities/identity/account-deletion/erase-account';
import { diskBlobs } from '../../../db/blobs/disk';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { people, soldOrder } from '../../support/builders/partnering/sold-orders';
import { held, waiting } from '../../support/checks/held-locks';
import { takeAllEvents, takeEvent } from '../../support/checks/take-events';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

/** A partner whose account is due to be erased, below an active one, and a sale of a customer that is not counted yet. */
async function leaving() {
  const above = await make.partner(own.db);
  const partner = await make.partner(own.db, { sponsorId: above.id });
  await takeAllEvents(own.db);
  const [buyerId] = await people(own.db, [partner.id]);
  const order = await soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor: 100_00 }] });
  await execute(own.db, `UPDATE users SET deletion_due_at = now() - interval '1 hour' WHERE id = $1`, [
    partner.userId,
  ]);
  const event = await firstRow<{ id: string }>(own.db, 'SELECT id FROM domain_events WHERE reference = $1', [
    `order.paid:${order.id}`,
  ]);
  return {
    partner,
    above,
    count: () => takeEvent(own.db, policyFrom({}), event!.id),
    erase: () =>
      eraseDueAccount(
        { db: own.db, blobs: diskBlobs(tmpdir()), policy: { refundWindowDays: 14 } },
        { userId: partner.userId, at: new Date().toISOString() },
      ),
    commissions: () =>
      rows<{ partnerId: string }>(own.db, 'SELECT partner_id FROM partner_commissions WHERE source_id = $1', [
        order.id,
      ]),
  };
}

test('an erasure that begins while a sale is counted waits for it, and then for its commission', async () => {
  const { partner, count, erase, commissions } = await leaving();
  // Held between its look at those above and its booking.
  const { release } = await held(own.owner, 'LOCK TABLE partner_sales IN SHARE MODE');
  const counted = count();
  await waiting(own.db, 1);
  const erased = erase();
  await waiting(own.db, 2);
  await release();
  expect([await counted, await erased]).toEqual([true, 'WAITING']);
  expect(await commissions()).toEqual([{ partnerId: partner.id }]);
});

test('a sale that is counted while its partner is erased has no commission for the account', async () => {
  const { above, count, erase, commissions } = await leaving();
  // Held after it has found no open matters, before the membership ends.
  const { release } = await held(own.owner, 'LOCK TABLE addresses IN SHARE MODE');
  const erased = erase();
  await waiting(own.db, 1);
  const counted = count();
  await waiting(own.db, 2);
  await release();
  expect([await erased, await counted]).toEqual(['ERASED', true]);
  expect(await commissions()).toEqual([{ partnerId: above.id }]);
});
