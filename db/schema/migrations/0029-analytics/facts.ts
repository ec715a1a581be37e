/*
 * The facts that analytics counts, as SQL over the rows of a relation: a table in the view, or the rows that a trigger sees.
 * Each returns figure, at, currency, part, occurrences, amount_minor and seconds.
 */

const NOWHERE = `'' AS currency`;

/** The facts of the events in the relation `e`, each at its own time. */
export const ofPaidOrders = (e: string): string => `
  SELECT f.figure, e.occurred_at AS at, o.currency, f.part, f.occurrences::bigint AS occurrences, f.amount_minor,
         0::bigint AS seconds
    FROM ${e} e JOIN orders o ON o.id = e.entity_id
    LEFT JOIN customer_first_orders c ON c.user_id = o.user_id
    CROSS JOIN LATERAL (VALUES
      ('sale', o.payment_method, 1, o.subtotal_minor - o.discount_minor),
      ('sale.discount', '', 1, o.discount_minor),
      ('sale.shipping', '', 1, o.shipping_minor),
      ('sale.tax', '', 1, o.tax_minor),
      ('sale.customer', CASE WHEN c.order_id = o.id THEN 'NEW' ELSE 'RETURNING' END, 1,
        o.subtotal_minor - o.discount_minor)
    ) AS f (figure, part, occurrences, amount_minor)
   WHERE e.type = 'order.paid' AND (f.amount_minor <> 0 OR f.figure IN ('sale', 'sale.customer'))`;

/** Goods of paid orders by the category that each line was sold in; empty without one. */
export const ofSoldCategories = (e: string): string => `
  SELECT 'category.sale' AS figure, e.occurred_at AS at, o.currency, coalesce(i.category_id::text, '') AS part,
         1::bigint AS occurrences, sum(i.total_minor - i.discount_minor)::bigint AS amount_minor, 0::bigint AS seconds
    FROM ${e} e JOIN orders o ON o.id = e.entity_id JOIN order_items i ON i.order_id = o.id
   WHERE e.type = 'order.paid' GROUP BY e.id, e.occurred_at, o.currency, i.category_id`;

export const ofRefunds = (e: string): string => `
  SELECT f.figure, e.occurred_at AS at, coalesce(e.data ->> 'currency', '') AS currency, f.part,
         1::bigint AS occurrences, coalesce(f.amount::bigint, 0) AS amount_minor, 0::bigint AS seconds
    FROM ${e} e LEFT JOIN orders o ON o.id = e.entity_id
    CROSS JOIN LATERAL (VALUES
      ('refund', CASE WHEN e.data ->> 'refundRequestId' IS NULL THEN 'CANCELLATION' ELSE 'REQUEST' END,
        e.data ->> 'goodsMinor'),
      ('method.refund', coalesce(o.payment_method, ''), e.data ->> 'goodsMinor'),
      ('refund.shipping', '', e.data ->> 'shippingMinor'),
      ('refund.tax', '', e.data ->> 'taxMinor')
    ) AS f (figure, part, amount)
   WHERE e.type = 'refund.completed' AND (f.amount::bigint <> 0 OR f.figure IN ('refund', 'method.refund'))`;

/** Refunds by category, as they were divided when they were announced. */
export const ofRefundedCategories = (e: string): string => `
  SELECT 'category.refund' AS figure, e.occurred_at AS at, coalesce(e.data ->> 'currency', '') AS currency,
         coalesce(c ->> 'categoryId', '') AS part, 1::bigint AS occurrences, (c ->> 'goodsMinor')::bigint AS amount_minor,
         0::bigint AS seconds
    FROM ${e} e CROSS JOIN LATERAL jsonb_array_elements(e.data -> 'categories') AS c
   WHERE e.type = 'refund.completed'`;

/** Submissions and what reviewers decided, with the time since the submission before. A submission that its user did not complete is no decision. */
export const ofVerifications = (e: string): string => `
  SELECT f.figure, e.occurred_at AS at, ${NOWHERE}, f.part, 1::bigint AS occurrences, 0::bigint AS amount_minor,
         CASE WHEN f.figure IN ('kyc.approved', 'kyc.rejected') THEN coalesce((
           SELECT extract(epoch FROM e.occurred_at - max(s.occurred_at)) FROM domain_events s
            WHERE s.entity_id = e.entity_id AND s.type = 'kyc.submitted' AND s.occurred_at <= e.occurred_at), 0)
         ELSE 0 END::bigint AS seconds
    FROM ${e} e CROSS JOIN LATERAL (VALUES
      (e.type, coalesce(e.data ->> 'level', '')), ('reason.' || e.type, e.data ->> 'reason')
    ) AS f (figure, part)
   WHERE e.type IN ('kyc.submitted', 'kyc.approved', 'kyc.rejected') AND f.part IS NOT NULL
     AND e.data ->> 'reason' IS DISTINCT FROM 'INFO_NOT_PROVIDED'`;

export const ofInvestments = (t: string): string => `
  SELECT f.figure || lower(t.type) AS figure, t.occurred_at AS at, t.currency, f.part, 1::bigint AS occurrences,
         t.amount_minor, 0::bigint AS seconds
    FROM ${t} t JOIN participations p ON p.id = t.participation_id JOIN investment_strategies s ON s.id = p.strategy_id
    CROSS JOIN LATERAL (VALUES ('investment.', s.risk_level), ('strategy.', s.id::text)) AS f (figure, part)`;

export const ofEndedParticipations = (p: string): string => `
  SELECT f.figure, p.ended_at AS at, p.currency, f.part, 1::bigint AS occurrences, p.amount_minor, 0::bigint AS seconds
    FROM ${p} p JOIN investment_strategies s ON s.id = p.strategy_id
    CROSS JOIN LATERAL (VALUES ('participation.ended', s.risk_level), ('strategy.ended', s.id::text)) AS f (figure, part)
   WHERE p.status IN ('MATURED', 'WITHDRAWN')`;

export const ofPartners = (p: string): string => `
  SELECT 'partner.joined' AS figure, p.joined_at AS at, ${NOWHERE}, '' AS part, 1::bigint AS occurrences,
         0::bigint AS amount_minor, 0::bigint AS seconds
    FROM ${p} p`;

/** Active partners by the level of their rank, one more or less at each change of either. */
export const ofPartnerStates = (s: string): string => `
  SELECT 'partner.active' AS figure, s.changed_at AS at, ${NOWHERE}, f.level::text AS part, f.occurrences::bigint AS occurrences,
         0::bigint AS amount_minor, 0::bigint AS seconds
    FROM ${s} s CROSS JOIN LATERAL (VALUES
      (s.from_status, s.from_level, -1), (s.to_status, s.to_level, 1)
    ) AS f (status, level, occurrences) WHERE f.status = 'ACTIVE'`;

const BY_TYPE_AND_RANK = `CROSS JOIN LATERAL (VALUES
      ('commission.', c.type::text), ('rank.commission.', c.rank_level::text)
    ) AS f (figure, part)`;

/** A commission as it comes to be; one below zero takes back a part of another. */
export const ofCommissions = (c: string): string => `
  SELECT f.figure || CASE WHEN c.reversal_of IS NULL THEN 'earned' ELSE 'reversed' END AS figure,
         c.created_at AS at, c.currency, f.part, 1::bigint AS occurrences,
         CASE WHEN c.reversal_of IS NULL THEN c.gross_minor ELSE -c.gross_minor END AS amount_minor,
         0::bigint AS seconds
    FROM ${c} c ${BY_TYPE_AND_RANK}`;

/** Reversed as a whole, or paid out. One that took back a part of a reversed one is undone with it, and counts below zero. */
export const ofEndedCommissions = (c: string): string => `
  SELECT f.figure || CASE c.status WHEN 'PAID' THEN 'paid' ELSE 'reversed' END AS figure,
         CASE c.status WHEN 'PAID' THEN coalesce(c.paid_at, c.processed_at, c.created_at)
           ELSE coalesce(c.processed_at, c.created_at) END AS at,
         c.currency, f.part,
         CASE WHEN c.reversal_of IS NULL THEN 1 WHEN c.status = 'PAID' THEN 0 ELSE -1 END::bigint AS occurrences,
         CASE c.status WHEN 'PAID' THEN c.net_minor ELSE c.gross_minor END AS amount_minor, 0::bigint AS seconds
    FROM ${c} c ${BY_TYPE_AND_RANK}
   WHERE c.status IN ('PAID', 'REVERSED')`;

/**
 * Commissions that were reversed as a whole and restored: the reversal stays in its time, and the restoral counts below zero in
 * its own. Of the rows in the relation `r`, whose commissions are in `c`.
 */
export const ofRestoredCommissions = (r: string, c = 'partner_commissions'): string => `
  SELECT f.figure || 'reversed' AS figure, s.at, c.currency, f.part, s.sign::bigint AS occurrences,
         s.sign * c.gross_minor AS amount_minor, 0::bigint AS seconds
    FROM ${r} r JOIN ${c} c ON c.id = r.commission_id ${BY_TYPE_AND_RANK}
    CROSS JOIN LATERAL (VALUES (r.reversed_at, 1), (r.restored_at, -1)) AS s (at, sign)`;

export const ofPayouts = (p: string): string => `
  SELECT 'payout.requested' AS figure, p.created_at AS at, p.currency, p.kind || ':' || p.method AS part,
         1::bigint AS occurrences, p.amount_minor, 0::bigint AS seconds
    FROM ${p} p`;

export const ofEndedPayouts = (p: string): string => `
  SELECT 'payout.' || lower(p.status) AS figure, p.ended_at AS at, p.currency, p.kind || ':' || p.method AS part,
         1::bigint AS occurrences, p.amount_minor, extract(epoch FROM p.ended_at - p.created_at)::bigint AS seconds
    FROM ${p} p WHERE p.status IN ('COMPLETED', 'REJECTED', 'CANCELLED')`;

/**
 * Open payouts by status, one more or less at each move. A transfer that is refused leaves the payout approved since its approval.
 */
export const ofOpenPayouts = (p: string): string => `
  SELECT 'status.payout' AS figure, f.at, p.currency, f.part, f.sign::bigint AS occurrences, f.sign * p.amount_minor AS amount_minor,
         0::bigint AS seconds
    FROM ${p} p CROSS JOIN LATERAL (VALUES
      (p.created_at, 'PENDING', 1),
      (p.approved_at, 'PENDING', -1), (p.approved_at, 'APPROVED', 1),
      (CASE WHEN p.status IN ('PROCESSING', 'COMPLETED') THEN p.processed_at END, 'APPROVED', -1),
      (CASE WHEN p.status IN ('PROCESSING', 'COMPLETED') THEN p.processed_at END, 'PROCESSING', 1),
      (p.ended_at, CASE WHEN p.status = 'COMPLETED' THEN 'PROCESSING' WHEN p.approved_at IS NULL THEN 'PENDING'
        ELSE 'APPROVED' END, -1)
    ) AS f (at, part, sign) WHERE f.at IS NOT NULL`;
