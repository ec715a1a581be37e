import { OPEN_REFUND_REQUESTS } from '../../../workflows/commerce/refund/refund-request.states';
import { literals } from '../../sql/query';

/**
 * The source of commission `c`, as `sale`: an order, a participation or an entrance fee, the others null. A rank bonus is of
 * the sale that gave the rank; a pool's share is of none. A fragment of FROM.
 */
export const SALE_OF = `LEFT JOIN domain_events gave ON c.type = 8 AND gave.id = c.event_id
  LEFT JOIN investment_transactions moved ON c.source_type = 'INVESTMENT' AND moved.id = c.source_id
  CROSS JOIN LATERAL (SELECT
    CASE WHEN c.source_type = 'ORDER' THEN c.source_id WHEN gave.type = 'order.paid' THEN gave.entity_id END AS order_id,
    CASE WHEN gave.type = 'investment.created' THEN gave.entity_id ELSE moved.participation_id END AS participation_id,
    CASE WHEN c.type = 0 THEN c.source_id END AS entrance_id) AS sale`;

/** An event of this type of the thing that was sold waits to be counted. A fragment. */
const waits = (type: string, of: 'order_id' | 'participation_id' | 'entrance_id'): string =>
  `EXISTS (SELECT 1 FROM event_deliveries d JOIN domain_events e USING (position)
    WHERE d.consumer = 'commissions' AND d.entity_id = sale.${of} AND d.state <> 'DEAD' AND e.type = '${type}')`;

/** A refund of the order is open, or announced and not yet counted. A fragment. */
const REFUNDED = `(
  EXISTS (SELECT 1 FROM refund_requests r
    WHERE r.order_id = sale.order_id AND r.status IN (${literals(OPEN_REFUND_REQUESTS)}))
  OR EXISTS (SELECT 1 FROM payment_refunds p
    WHERE p.order_id = sale.order_id AND p.status = 'PROCESSING' AND p.reason IN ('REFUND', 'CANCELLATION'))
  OR ${waits('refund.completed', 'order_id')})`;

/**
 * A bank has taken back money that paid for the sale, and more of it than refunds that were owed anyway, and the dispute is
 * open; or it is lost, and that is announced and not yet counted. A fragment.
 */
const chargedBack = (of: 'order_id' | 'participation_id' | 'entrance_id'): string =>
  `(EXISTS (SELECT 1 FROM chargebacks b JOIN payment_captures m ON m.id = b.capture_id
    WHERE b.${of} = sale.${of} AND b.status = 'TAKEN' AND m.applied
      AND m.charged_back_minor > m.refunds_charged_back_minor)
  OR ${waits('chargeback.lost', of)})`;

const CHARGED_BACK = `(${chargedBack('order_id')} OR ${chargedBack('participation_id')} OR ${chargedBack('entrance_id')})`;

/** The participation was withdrawn before commission `c` of its deposit was due; a profit was earned all the same. A fragment. */
const WITHDRAWN = `(c.type NOT IN (5, 6) AND EXISTS (SELECT 1 FROM participations w
  WHERE w.id = sale.participation_id AND w.status = 'WITHDRAWN' AND w.ended_at < c.matures_at))`;

/** The group points of the first-level partner who has the most, or those of the own customers. A fragment. */
const LARGEST_LEG = `greatest(0, s.personal_points, (SELECT max(l.group_points) FROM partner_standings l
  WHERE l.sponsor_id = s.partner_id))`;

/**
 * Commission `c` is the bonus of a rank whose points its partner does not have any more, by the rule of `groupSuffices`: the
 * largest leg counts for at most half. A fragment.
 */
const POINTS_LOST = `(c.type = 8 AND EXISTS (SELECT 1 FROM partner_standings s
  JOIN partner_ranks k ON k.programme_version = c.programme_version AND k.level = c.level
  WHERE s.partner_id = c.partner_id AND (s.personal_points < k.personal_points
    OR 2 * (s.group_points - ${LARGEST_LEG}) + least(2 * ${LARGEST_LEG}, k.group_points) < 2 * k.group_points)))`;

/**
 * The `CommissionHold` that keeps commission `c` PENDING although it is due; null: none. Needs `SALE_OF`. A fragment.
 */
export const HELD_BY = `CASE
  WHEN ${REFUNDED} THEN 'REFUND'
  WHEN ${CHARGED_BACK} THEN 'CHARGEBACK'
  WHEN ${WITHDRAWN} THEN 'EARLY_WITHDRAWAL'
  WHEN ${POINTS_LOST} THEN 'POINTS_LOST' END`;
