/*
 * What analytics counts, as SQL over the rows of a relation: a table in the view, or the rows that a trigger sees.
 * Each answers figure, at, currency, part, occurrences, amount_minor and seconds.
 */

const NOWHERE = `'' AS currency`;

/** The facts of the events in the relation `e`, each at its own time. */
export const ofPaidOrders = (e: string): string => `
  SELECT f.figure, e.occurred_at AS at, o.currency, f.part, f.occurrences::bigint AS occurrences, f.amount_minor,
         0::bigint AS seconds
    FROM ${e} e JOIN orders o ON o.id = e.entity_id
    LEFT JOIN customer_first_orders c ON c.user_id = o.user_id
    CROSS JOIN LATERAL (VALUES
      ('sale', o.payment_method, 1, o.subtotal_minor),
      ('sale.discount', '', 1, o.discount_minor),
      ('sale.shipping', '', 1, o.shipping_minor),
      ('sale.tax', '', 1, o.tax_minor),
      ('sale.customer', CASE WHEN c.order_id = o.id THEN 'NEW' ELSE 'RETURNING' END, 1,
        o.subtotal_minor - o.discount_minor)
    ) AS f (figure, part, occurrences, amount_minor)
   WHERE e.type = 'order.paid' AND (f.amount_minor <> 0 OR f.figure IN ('sale', 'sale.customer'))`;

export const ofRefunds = (e: string): string => `
  SELECT 'refund' AS figure, e.occurred_at AS at, coalesce(e.data ->> 'currency', '') AS currency,
         CASE WHEN e.data ->> 'refundRequestId' IS NULL THEN 'CANCELLATION' ELSE 'REQUEST' END AS part,
         1::bigint AS occurrences, coalesce((e.data ->> 'goodsMinor')::bigint, 0) AS amount_minor, 0::bigint AS seconds
    FROM ${e} e WHERE e.type = 'refund.completed'`;

/** Submissions and what reviewers decided, with the time since the submission before. What a user did not complete is no decision. */
export const ofVerifications = (e: string): string => `
  SELECT e.type AS figure, e.occurred_at AS at, ${NOWHERE},
         coalesce(e.data ->> 'level', e.data ->> 'reason', '') AS part, 1::bigint AS occurrences,
         0::bigint AS amount_minor,
         CASE WHEN e.type IN ('kyc.approved', 'kyc.rejected') THEN coalesce((
           SELECT extract(epoch FROM e.occurred_at - max(s.occurred_at)) FROM domain_events s
            WHERE s.entity_id = e.entity_id AND s.type = 'kyc.submitted' AND s.occurred_at <= e.occurred_at), 0)
         ELSE 0 END::bigint AS seconds
    FROM ${e} e WHERE e.type IN ('kyc.submitted', 'kyc.approved', 'kyc.rejected')
     AND e.data ->> 'reason' IS DISTINCT FROM 'INFO_NOT_PROVIDED'`;

/** Tax and shipping that are taken back of sales. */
export const ofLedger = (l: string): string => `
  SELECT 'refund.' || l.account AS figure, l.created_at AS at, l.currency, '' AS part, 1::bigint AS occurrences,
         -l.amount_minor AS amount_minor, 0::bigint AS seconds
    FROM ${l} l WHERE l.account IN ('shipping', 'tax') AND l.amount_minor < 0`;

export const ofInvestments = (t: string): string => `
  SELECT f.figure || lower(t.type) AS figure, t.occurred_at AS at, t.currency, f.part, 1::bigint AS occurrences,
         t.amount_minor, 0::bigint AS seconds
    FROM ${t} t JOIN participations p ON p.id = t.participation_id
    CROSS JOIN LATERAL (VALUES ('investment.', ''), ('strategy.', p.strategy_id::text)) AS f (figure, part)`;

export const ofEndedParticipations = (p: string): string => `
  SELECT 'participation.ended' AS figure, p.ended_at AS at, p.currency, '' AS part, 1::bigint AS occurrences,
         p.amount_minor, 0::bigint AS seconds
    FROM ${p} p WHERE p.status IN ('MATURED', 'WITHDRAWN')`;

export const ofPartners = (p: string): string => `
  SELECT 'partner.joined' AS figure, p.joined_at AS at, ${NOWHERE}, '' AS part, 1::bigint AS occurrences,
         0::bigint AS amount_minor, 0::bigint AS seconds
    FROM ${p} p`;

/** A commission as it comes to be; one below zero takes back a part of another. */
export const ofCommissions = (c: string): string => `
  SELECT CASE WHEN c.reversal_of IS NULL THEN 'commission.earned' ELSE 'commission.reversed' END AS figure,
         c.created_at AS at, c.currency, c.type::text AS part, 1::bigint AS occurrences,
         CASE WHEN c.reversal_of IS NULL THEN c.gross_minor ELSE -c.gross_minor END AS amount_minor,
         0::bigint AS seconds
    FROM ${c} c`;

/** Reversed as a whole, or paid out. What took back a part of a reversed one is undone with it, and counts below zero. */
export const ofEndedCommissions = (c: string): string => `
  SELECT CASE c.status WHEN 'PAID' THEN 'commission.paid' ELSE 'commission.reversed' END AS figure,
         CASE c.status WHEN 'PAID' THEN coalesce(c.paid_at, c.processed_at, c.created_at)
           ELSE coalesce(c.processed_at, c.created_at) END AS at,
         c.currency, c.type::text AS part,
         CASE WHEN c.reversal_of IS NULL THEN 1 WHEN c.status = 'PAID' THEN 0 ELSE -1 END::bigint AS occurrences,
         CASE c.status WHEN 'PAID' THEN c.net_minor ELSE c.gross_minor END AS amount_minor, 0::bigint AS seconds
    FROM ${c} c WHERE c.status IN ('PAID', 'REVERSED')`;

export const ofPayouts = (p: string): string => `
  SELECT 'payout.requested' AS figure, p.created_at AS at, p.currency, p.kind || ':' || p.method AS part,
         1::bigint AS occurrences, p.amount_minor, 0::bigint AS seconds
    FROM ${p} p`;

export const ofEndedPayouts = (p: string): string => `
  SELECT 'payout.' || lower(p.status) AS figure, p.ended_at AS at, p.currency, p.kind || ':' || p.method AS part,
         1::bigint AS occurrences, p.amount_minor, extract(epoch FROM p.ended_at - p.created_at)::bigint AS seconds
    FROM ${p} p WHERE p.status IN ('COMPLETED', 'REJECTED', 'CANCELLED')`;
