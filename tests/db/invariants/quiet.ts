import { firstRow, type Db } from '../../../db/sql/query';
import { eventually } from '../../support/checks/eventually';

/** The last refund and the last report may still be under way. */
export const everythingIsQuiet = (db: Db): Promise<void> =>
  eventually(async () => {
    const open = await firstRow(
      db,
      `SELECT (SELECT count(*)::int FROM payment_refunds WHERE status = 'PROCESSING') AS refunds,
         (SELECT count(*)::int FROM payment_refunds) AS all_refunds,
         (SELECT count(*)::int FROM webhook_events WHERE status <> 'PROCESSED') AS events,
         (SELECT count(*)::int FROM sandbox_events WHERE delivered_at IS NULL) AS reports`,
    );
    expect(open).toEqual({ refunds: 0, allRefunds: 7, events: 0, reports: 0 });
  });
