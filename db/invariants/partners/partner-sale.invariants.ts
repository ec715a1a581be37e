import { isUncounted, refundsOwedMinor } from '../../partners/event/event-cause.transitions';
import type { Invariant } from '../invariant';
import { halfUp } from './commission-amount.invariants';

/** Rules of sales as the partner programme counts them. */
export const partnerSaleInvariants: readonly Invariant[] = [
  {
    id: 'partner-sales.are-of-taken-events',
    says: 'Every sale event that was taken has its sale, and every sale has a taken event; the next term of a participation is none.',
    sql: `SELECT coalesce(e.id, s.event_id) AS entity,
        CASE WHEN s.id IS NULL THEN 'taken, but not counted' ELSE 'counted, but not taken' END AS detail
      FROM (SELECT id FROM domain_events d
        WHERE NOT ${isUncounted('d.position')} AND (type IN ('order.paid', 'refund.completed', 'refund.charged_back')
          OR type IN ('chargeback.lost', 'chargeback.returned') AND data ->> 'entranceId' IS NULL OR type = 'investment.created'
          AND NOT EXISTS (SELECT 1 FROM participations p WHERE p.id = d.entity_id AND p.origin = 'REINVESTMENT'))) e
      FULL JOIN partner_sales s ON s.event_id = e.id WHERE e.id IS NULL OR s.id IS NULL`,
  },
  {
    id: 'partner-sales.take-back-no-more-than-they-gave',
    says: 'Refunds and lost chargebacks take back no more of a sale than it was, and returns restore no more than that: base, weights and points.',
    sql: `SELECT s.source_id AS entity, format('%s of %s, %s of %s points', -sum(b.base_minor), s.base_minor,
        -sum(b.points), s.points) AS detail
      FROM partner_sales b LEFT JOIN partner_sales s ON s.source_id = b.source_id AND s.kind IN ('ORDER', 'INVESTMENT')
      WHERE b.kind IN ('REFUND', 'CHARGEBACK', 'RETURN') GROUP BY s.id
      HAVING s.id IS NULL OR least(s.base_minor + sum(b.base_minor), s.commission_weight + sum(b.commission_weight),
        s.points_weight + sum(b.points_weight), s.points + sum(b.points)) < 0
        OR greatest(sum(b.base_minor), sum(b.commission_weight), sum(b.points_weight), sum(b.points)) > 0
        OR count(*) FILTER (WHERE b.partner_id IS DISTINCT FROM s.partner_id) > 0`,
  },
  {
    id: 'partner-sales.take-back-what-was-announced',
    says: 'Of the base of a sale is taken back what its counted refunds are of, and the part of the rest that lost chargebacks are of what was paid, those apart that paid refunds.',
    sql: `WITH taken AS (
        SELECT entity_id, coalesce(sum((data ->> 'goodsMinor')::bigint), 0) AS goods,
          coalesce(sum((data ->> 'amountMinor')::bigint * CASE type WHEN 'chargeback.lost' THEN 1
            WHEN 'chargeback.returned' THEN -1 ELSE 0 END), 0) AS lost,
          coalesce(sum(CASE type WHEN 'refund.completed' THEN (data ->> 'chargedBackMinor')::bigint
            WHEN 'refund.charged_back' THEN (data ->> 'amountMinor')::bigint
            WHEN 'chargeback.returned' THEN -${refundsOwedMinor('d')} END), 0) AS paid
        FROM domain_events d WHERE NOT ${isUncounted('d.position')}
          AND type IN ('refund.completed', 'refund.charged_back', 'chargeback.lost', 'chargeback.returned') GROUP BY 1
      ), due AS (
        SELECT s.source_id, s.base_minor, least(s.base_minor, t.goods) AS goods, greatest(0, t.lost - greatest(0, t.paid)) AS lost,
          coalesce(o.total_minor, s.base_minor) AS whole,
          (SELECT coalesce(-sum(b.base_minor), 0) FROM partner_sales b
            WHERE b.source_id = s.source_id AND b.kind IN ('REFUND', 'CHARGEBACK', 'RETURN')) AS back
        FROM taken t JOIN domain_events e ON e.entity_id = t.entity_id AND e.type IN ('order.paid', 'investment.created')
          JOIN partner_sales s ON s.event_id = e.id LEFT JOIN orders o ON s.kind = 'ORDER' AND o.id = s.source_id
      )
      SELECT source_id AS entity, format('%s of %s taken back, refunds of %s and chargebacks of %s of %s', back, base_minor, goods,
        lost, whole) AS detail
      FROM due WHERE back <> goods + CASE WHEN whole = 0 THEN 0
        ELSE least(base_minor - goods, ${halfUp('base_minor * lost', 'whole')}) END`,
  },
  {
    id: 'partner-sales.convert-their-visitor',
    says: 'The first order kept with a registered visitor is the earliest of those counted of the account, and there is none without.',
    sql: `SELECT t.id AS entity, format('%s, the first order at %s', t.first_sale_at, first.at) AS detail
      FROM referral_touches t
      CROSS JOIN LATERAL (SELECT min(s.occurred_at) AS at FROM partner_sales s
        WHERE s.buyer_id = t.converted_user_id AND s.kind = 'ORDER') AS first
      WHERE t.converted_at IS NOT NULL AND t.first_sale_at IS DISTINCT FROM first.at`,
  },
  {
    id: 'partner-sales.have-one-first-order',
    says: 'The commission of a sponsor is for a first order (type 1) if that is the first of its buyer, else for a repeat (3).',
    sql: `SELECT c.id AS entity, format('type %s of order %s', c.type, c.source_id) AS detail
      FROM partner_commissions c JOIN orders o ON o.id = c.source_id
      WHERE c.source_type = 'ORDER' AND c.type IN (1, 3) AND c.event_id IS NOT NULL
        AND o.is_first <> (c.type = 1)`,
  },
];
