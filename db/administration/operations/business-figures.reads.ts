import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import { readFigures } from '../figures/read-figures';

/** The windows in which business is counted, which end now. */
const WINDOWS = { hour: '1 hour', day: '1 day' } as const;

type Window = keyof typeof WINDOWS;

/** The business of one window. */
export interface BusinessFigures {
  window: Window;
  placed: number;
  paid: number;
  /** Of those placed and paid, the ones by card or e-wallet, whose buyers pay at once. */
  placedOnline: number;
  paidOnline: number;
  /** Attempts to pay that the provider declined, and that were not paid after all. */
  declined: number;
  registered: number;
  refundsRequested: number;
  refundsCompleted: { currency: string; refunds: number; amountMinor: number }[];
}

/**
 * Counts the business of a window by indexes on recent rows, on one connection. A currency without refunds is not in the
 * list. Throws when a statement takes longer than two seconds.
 */
export const businessFigures = (db: Db, window: Window): Promise<BusinessFigures> =>
  readFigures(db, (tx) => figuresOf(tx, window));

async function figuresOf(tx: Tx, window: Window): Promise<BusinessFigures> {
  const counts = await firstRow<Omit<BusinessFigures, 'window' | 'refundsCompleted'>>(
    tx,
    `WITH moment AS (SELECT now() - $1::interval AS since)
     SELECT
       (SELECT count(*) FROM orders WHERE created_at > since)::int AS placed,
       -- An order that is paid is updated too, so the index by updates finds it.
       (SELECT count(*) FROM orders WHERE updated_at > since AND paid_at > since)::int AS paid,
       (SELECT count(*) FROM orders WHERE created_at > since AND payment_method IN ('CARD', 'EWALLET'))::int AS placed_online,
       (SELECT count(*) FROM orders WHERE updated_at > since AND paid_at > since
          AND payment_method IN ('CARD', 'EWALLET'))::int AS paid_online,
       -- A decline updates its order, unless a later attempt was opened, which updated it.
       (SELECT count(*) FROM orders o JOIN payment_attempts a ON a.order_id = o.id
        WHERE o.updated_at > since AND a.status = 'DECLINED' AND a.updated_at > since)::int AS declined,
       (SELECT count(*) FROM users WHERE created_at > since)::int AS registered,
       (SELECT count(*) FROM refund_requests WHERE created_at > since)::int AS refunds_requested
     FROM moment`,
    [WINDOWS[window]],
  );
  if (!counts) throw new Error('PostgreSQL answered no row to a count.');
  return { window, ...counts, refundsCompleted: await completedRefunds(tx, window) };
}

/** Refunds that reached their buyers, by currency; the platform's has a row also while there is none. */
const completedRefunds = (tx: Tx, window: Window): Promise<BusinessFigures['refundsCompleted']> =>
  rows(
    tx,
    `SELECT known.currency, count(r.id)::int AS refunds, coalesce(sum(r.amount_minor), 0)::bigint AS amount_minor
       FROM (SELECT $2::text AS currency UNION SELECT DISTINCT currency FROM payment_refunds r WHERE ${COMPLETED}) known
       LEFT JOIN payment_refunds r ON r.currency = known.currency AND ${COMPLETED}
       GROUP BY known.currency ORDER BY known.currency`,
    [WINDOWS[window], PLATFORM_CURRENCY],
  );

/** Written like its index; the conditions on status are both needed, since the index is a partial one. */
const COMPLETED = `r.status <> 'PROCESSING' AND r.status = 'COMPLETED'
  AND coalesce(r.completed_at, r.created_at) > now() - $1::interval`;
