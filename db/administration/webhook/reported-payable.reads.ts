import { payableColumns, payablesOf, USER_ID } from '../../commerce/payment/payable';
import { firstRow, type Db } from '../../sql/query';
import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';

/** The order that a report of a payment names, null if it names anything else that is paid for, and who pays. */
export interface ReportedPayable {
  orderId: string | null;
  userId: string;
}

/**
 * SQL for what the stored report `$1` names, by its attempt or by its payment, as `paid`. It looks at the ids that were read when
 * it came, since its text may be of no agreed form: such reports are the ones that park.
 */
const PAID = `
  WITH named AS MATERIALIZED (
    SELECT e.provider, unnest(ARRAY[e.subject, e.movement]) AS name FROM webhook_events e
     WHERE e.id = $1 AND e.kind = 'PAYMENT'
  ), paid AS (
    SELECT 1 AS place, ${payableColumns('a')} FROM named n JOIN payment_attempts a
        ON a.provider = n.provider AND a.id = CASE WHEN n.name ~ '^${UUID_PATTERN}$' THEN n.name::uuid END
    UNION ALL
    SELECT 2, ${payableColumns('c')} FROM named n JOIN payment_captures c
        ON c.provider = n.provider AND c.provider_payment_id = n.name
  )`;

/** Finds the payable that a report of a payment provider names; null: none that is known. */
export const reportedPayable = (db: Db, webhookEventId: string): Promise<ReportedPayable | null> =>
  firstRow(
    db,
    `${PAID} SELECT paid.order_id, ${USER_ID} AS user_id FROM paid ${payablesOf('paid')} ORDER BY paid.place LIMIT 1`,
    [webhookEventId],
  );

/** Tells whether a report of a payment provider names anything that this user pays for. */
export async function isAboutPayer(db: Db, webhookEventId: string, userId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    `${PAID} SELECT 1 FROM paid ${payablesOf('paid')} WHERE ${USER_ID} = $2 LIMIT 1`,
    [webhookEventId, userId],
  );
  return found !== null;
}
