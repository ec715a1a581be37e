import { v7 } from 'uuid';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { markReversed, unmarkReversed } from '../../../../db/partners/commission/commission.transitions';
import { firstRow, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';

/** A lost chargeback takes a commission back as a whole at this time. Its bookings are not made. */
export const loseCommission = (db: Db, id: string, at: Date): Promise<void> =>
  inTransaction(db, (tx) => markReversed(tx, [id], at));

/** The return of that chargeback restores it. */
export const restoreCommission = (db: Db, id: string, at: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    const chargebackId = v7();
    const of = { chargebackId, userId: v7(), entranceId: v7(), amountMinor: 1, currency: 'USD' };
    await announce(tx, { type: 'chargeback.returned', ...of }, at.toISOString());
    const event = await firstRow<{ id: string }>(tx, 'SELECT id FROM domain_events WHERE reference = $1', [
      `chargeback.returned:${chargebackId}`,
    ]);
    await unmarkReversed(tx, [id], { eventId: event!.id, at });
  });
