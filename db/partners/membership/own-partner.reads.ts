import { firstRow, type Db } from '../../sql/query';
import { joinRank } from '../programme/rank-join';

/** True if a partner is the user's own or stands below it, so that the user earns by it. */
export async function earnsBy(db: Db, userId: string, partnerId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 AS one FROM partners own JOIN partners p ON p.path <@ own.path WHERE own.user_id = $1 AND p.id = $2`,
    [userId, partnerId],
  );
  return found !== null;
}

/** The partner that a buyer is, and the one who referred the buyer. A fragment. */
const partnersOf = (buyerId: string): string =>
  `(SELECT id FROM partners WHERE user_id = ${buyerId} UNION ALL SELECT sponsor_id FROM users WHERE id = ${buyerId})`;

/**
 * True if the user earns by what another user pays: the other, or who referred the other, is of the user's network, and the user's
 * own membership has not ended.
 */
export async function earnsByPaymentsOf(db: Db, userId: string, payerId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 AS one FROM partners own JOIN partners p ON p.path <@ own.path
      WHERE own.user_id = $1 AND own.status <> 'TERMINATED' AND p.id IN ${partnersOf('$2')}`,
    [userId, payerId],
  );
  return found !== null;
}

/**
 * True if the user earns or loses by an event: one of an order, a participation or a membership of the user's network, while the own
 * membership has not ended. `position`: of the event.
 */
export async function earnsByEvent(db: Db, userId: string, position: number): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 AS one FROM domain_events e
       LEFT JOIN orders o ON o.id = e.entity_id AND e.type IN ('order.paid', 'refund.completed',
         'refund.charged_back', 'chargeback.lost', 'chargeback.returned')
       CROSS JOIN LATERAL (SELECT coalesce(o.user_id, (e.data->>'userId')::uuid) AS id) payer
       JOIN partners own ON own.user_id = $1 AND own.status <> 'TERMINATED' JOIN partners p ON p.path <@ own.path
      WHERE e.position = $2 AND p.id IN ${partnersOf('payer.id')} LIMIT 1`,
    [userId, position],
  );
  return found !== null;
}

/** True if a process on the operators' list counts an event by which the user earns or loses. */
export async function earnsByParkedEvent(db: Db, userId: string, workflowId: string): Promise<boolean> {
  const counted = await firstRow<{ position: number }>(
    db,
    `SELECT split_part(entity_id, ':', 2)::bigint AS position FROM parked_processes
      WHERE workflow_id = $1 AND type = 'eventFailure' AND entity_id LIKE 'commissions:%'`,
    [workflowId],
  );
  return counted !== null && (await earnsByEvent(db, userId, counted.position));
}

/** True if the user is an ACTIVE partner of a rank that takes part in the pools, whose share depends on all other partners. */
export async function takesPartInPools(db: Db, userId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 AS one FROM partners p JOIN partner_standings s ON s.partner_id = p.id ${joinRank('k', 's.rank_level')}
      WHERE p.user_id = $1 AND p.status = 'ACTIVE' AND k.pool_weight > 0`,
    [userId],
  );
  return found !== null;
}
