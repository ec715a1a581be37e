import { execute, rows, type Tx } from '../../sql/query';

/** The most commissions that one transaction marks; further ones are for the next. */
const MOST_PAID = 10_000;

/** The time of approval of an APPROVED commission; what is taken back of one that is approved or paid begins APPROVED. A fragment. */
const APPROVED_AT = 'coalesce(processed_at, created_at)';

/** The amount that completed payouts have paid to a partner and that no PAID commission accounts for. A fragment. */
const UNACCOUNTED = `(SELECT coalesce((SELECT sum(amount_minor) FROM payouts
    WHERE partner_id = $1 AND currency = $2 AND status = 'COMPLETED'), 0)
  - coalesce((SELECT sum(net_minor) FROM partner_commissions
    WHERE partner_id = $1 AND currency = $2 AND status = 'PAID'), 0))`;

/**
 * The longest beginning of the relation `line` (id, approved_at, net_minor), in the order of approval, whose sum is covered: the
 * place of the last commission at which the running sum is not above what is unaccounted for. A fragment.
 */
const covered = (line: string): string => `
  running AS (
    SELECT id, row_number() OVER w AS place, sum(net_minor) OVER w AS sum FROM (${line}) AS line
    WINDOW w AS (ORDER BY approved_at, id)
  ), covered AS (
    SELECT id FROM running
     WHERE place <= (SELECT max(place) FROM running WHERE sum <= ${UNACCOUNTED})
  )`;

/**
 * Marks a partner's commissions that were APPROVED first as PAID, negative ones included: as many as completed payouts cover, at most a
 * batch. One that is covered in part stays APPROVED. Returns their number. Locks commissions by id, as all others do; sums are
 * taken again under the locks, since an adjustment may have changed an amount while they were waited for. For one partner at a
 * time: two at once could each use up the same money on other commissions.
 */
export async function payCommissions(
  tx: Tx,
  { partnerId, currency, at }: { partnerId: string; currency: string; at: Date },
): Promise<number> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtextextended('paid-commissions:' || $1, 0))`, [
    partnerId,
  ]);
  const candidates = await rows<{ id: string }>(
    tx,
    `WITH ${covered(`SELECT id, ${APPROVED_AT} AS approved_at, net_minor FROM partner_commissions
        WHERE partner_id = $1 AND currency = $2 AND status = 'APPROVED' ORDER BY approved_at, id LIMIT ${MOST_PAID}`)}
     SELECT c.id FROM partner_commissions c JOIN covered USING (id) ORDER BY c.id FOR NO KEY UPDATE OF c`,
    [partnerId, currency],
  );
  if (candidates.length === 0) return 0;
  return execute(
    tx,
    `WITH ${covered(`SELECT id, ${APPROVED_AT} AS approved_at, net_minor FROM partner_commissions
        WHERE id = ANY ($3::uuid[]) AND status = 'APPROVED'`)}
     UPDATE partner_commissions c SET status = 'PAID', paid_at = $4
       FROM covered WHERE c.id = covered.id AND c.status = 'APPROVED'`,
    [partnerId, currency, candidates.map(({ id }) => id), at],
  );
}
