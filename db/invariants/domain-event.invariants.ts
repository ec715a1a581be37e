import type { Invariant } from './invariant';

/** Money of a cancelled order `o` that is on its way to its buyer, or was given up. A fragment. */
const OWED = `SELECT 1 FROM payment_refunds p
  WHERE p.order_id = o.id AND p.reason = 'CANCELLATION' AND p.status IN ('PROCESSING', 'ABANDONED')`;

/** The goods of all categories in an announced refund `e`. A fragment. */
const BY_CATEGORY = `(SELECT coalesce(sum((c ->> 'goodsMinor')::bigint), 0)::bigint FROM jsonb_array_elements(e.data -> 'categories') c)`;

/** Rules of domain events: each is announced when it happened, and only then. */
export const domainEventInvariants: readonly Invariant[] = [
  {
    id: 'events.announce-payments',
    says: "Every order that was ever paid is announced, with its goods after discount and whether it is its buyer's first; no other.",
    sql: `SELECT coalesce(o.id, e.entity_id) AS entity, format('paid at %s, announced %s of %s',
        coalesce(o.paid_at::text, 'no time'), coalesce(e.data ->> 'goodsMinor', 'nothing'),
        o.subtotal_minor - o.discount_minor) AS detail
      FROM (SELECT * FROM orders WHERE paid_at IS NOT NULL) o
      FULL JOIN (SELECT * FROM domain_events WHERE type = 'order.paid') e ON e.reference = 'order.paid:' || o.id
      WHERE o.id IS NULL OR e.id IS NULL OR (e.data ->> 'goodsMinor')::bigint <> o.subtotal_minor - o.discount_minor
        OR (e.data ->> 'isFirst')::boolean IS DISTINCT FROM o.is_first`,
  },
  {
    id: 'events.announce-refunds',
    says: 'A request whose money is all back, and a cancellation whose money is, are announced with their goods, also by category, shipping and tax. Nothing else is, except what came back to us since and is owed again.',
    sql: `WITH taken_back AS (
        SELECT r.id, r.goods_back_minor AS goods, r.shipping_back_minor AS shipping,
          r.goods_tax_back_minor + r.shipping_tax_back_minor AS tax, r.status = 'COMPLETED' AS is_back, r.status = 'COMPLETED' OR EXISTS (
            SELECT 1 FROM payment_refunds p WHERE p.refund_request_id = r.id AND num_nonnulls(p.chargeback_id, p.returned_reference) > 0) AS was_back
        FROM refund_requests r WHERE r.approved_minor IS NOT NULL
        UNION ALL
        SELECT o.id, o.subtotal_minor - o.discount_minor - coalesce(sum(r.goods_back_minor), 0),
          o.shipping_minor - coalesce(sum(r.shipping_back_minor), 0),
          o.tax_minor - coalesce(sum(r.goods_tax_back_minor + r.shipping_tax_back_minor), 0),
          NOT EXISTS (${OWED}), NOT EXISTS (${OWED} AND p.returned_reference IS NULL AND NOT EXISTS (
            SELECT 1 FROM chargebacks b WHERE b.capture_id = p.capture_id AND b.status = 'RETURNED'))
        FROM orders o LEFT JOIN refund_requests r ON r.order_id = o.id
        WHERE o.status = 'CANCELLED' AND o.paid_at IS NOT NULL GROUP BY o.id
      )
      SELECT coalesce(d.id, e.entity_id) AS entity, CASE WHEN e.id IS NULL THEN 'not announced'
        ELSE format('announced as %s, %s of %s (by category %s), with shipping %s of %s and tax %s of %s', e.reference,
          e.data ->> 'goodsMinor', coalesce(d.goods, 0), ${BY_CATEGORY}, e.data ->> 'shippingMinor', coalesce(d.shipping, 0),
          e.data ->> 'taxMinor', coalesce(d.tax, 0)) END AS detail
      FROM taken_back d
      FULL JOIN (SELECT * FROM domain_events WHERE type = 'refund.completed') e
        ON e.reference = 'refund.completed:' || d.id
      WHERE CASE WHEN e.id IS NULL THEN d.is_back
        ELSE d.was_back IS NOT TRUE OR ((e.data ->> 'goodsMinor')::bigint, (e.data ->> 'shippingMinor')::bigint,
          (e.data ->> 'taxMinor')::bigint, ${BY_CATEGORY}) IS DISTINCT FROM (d.goods, d.shipping, d.tax, d.goods) END`,
  },
  {
    id: 'events.announce-chargebacks',
    says: 'A lost chargeback of money that paid for an order, a participation or an entrance fee is announced with its amount, and its return when it was announced as lost; nothing else is.',
    sql: `SELECT coalesce(b.id::text, l.id::text) AS entity, format('%s of %s, announced: %s lost%s', coalesce(b.status, 'none'),
        coalesce(b.amount_minor, 0), coalesce(l.data ->> 'amountMinor', 'none'),
        CASE WHEN r.id IS NOT NULL THEN ', and returned' ELSE '' END) AS detail
      FROM (SELECT b.* FROM chargebacks b JOIN payment_captures m ON m.id = b.capture_id
        WHERE m.applied AND b.top_up_id IS NULL) b
      FULL JOIN (SELECT * FROM domain_events WHERE type = 'chargeback.lost') l ON l.reference = 'chargeback.lost:' || b.id
      FULL JOIN (SELECT * FROM domain_events WHERE type = 'chargeback.returned') r
        ON r.reference = 'chargeback.returned:' || b.id
      WHERE b.id IS NULL OR (b.status = 'LOST') <> (l.id IS NOT NULL AND r.id IS NULL)
        OR r.id IS NOT NULL AND l.id IS NULL
        OR l.id IS NOT NULL AND (l.data ->> 'amountMinor')::bigint <> b.amount_minor
        OR r.id IS NOT NULL AND (r.data ->> 'amountMinor')::bigint <> b.amount_minor`,
  },
  {
    id: 'events.announce-what-chargebacks-pay',
    says: 'What lost chargebacks have paid of the announced refunds of an order is what events say: paid when announced and later, less what is owed again.',
    sql: `SELECT coalesce(p.order_id, e.order_id) AS entity, format('paid %s, announced %s', coalesce(p.minor, 0),
        coalesce(e.minor, 0)) AS detail
      FROM (SELECT p.order_id, sum(p.amount_minor) AS minor FROM payment_refunds p JOIN payment_captures m ON m.id = p.capture_id
        WHERE p.status = 'CHARGED_BACK' AND m.applied AND p.reason IN ('REFUND', 'CANCELLATION') AND EXISTS (
          SELECT 1 FROM domain_events d WHERE d.reference = 'refund.completed:' || coalesce(p.refund_request_id, p.order_id))
        GROUP BY 1) p
      FULL JOIN (SELECT entity_id AS order_id, sum(CASE type WHEN 'refund.completed' THEN (data ->> 'chargedBackMinor')::bigint
          WHEN 'refund.charged_back' THEN (data ->> 'amountMinor')::bigint
          ELSE -(SELECT coalesce(sum((o ->> 'amountMinor')::bigint), 0) FROM jsonb_array_elements(data -> 'refundsOwed') o) END) AS minor
        FROM domain_events WHERE type IN ('refund.completed', 'refund.charged_back', 'chargeback.returned') GROUP BY 1) e
        ON e.order_id = p.order_id
      WHERE coalesce(p.minor, 0) <> coalesce(e.minor, 0)`,
  },
  {
    id: 'events.take-back-no-more-than-they-gave',
    says: "The goods in the announced refunds of an order never exceed the order's goods, nor those of a category its lines.",
    sql: `SELECT entity, string_agg(detail, '; ') AS detail FROM (
      SELECT p.entity_id AS entity, format('%s of %s taken back', sum((r.data ->> 'goodsMinor')::bigint),
        p.data ->> 'goodsMinor') AS detail
      FROM domain_events p JOIN domain_events r ON r.entity_id = p.entity_id AND r.type = 'refund.completed'
      WHERE p.type = 'order.paid'
      GROUP BY p.position HAVING sum((r.data ->> 'goodsMinor')::bigint) > (p.data ->> 'goodsMinor')::bigint
      UNION ALL
      SELECT b.order_id, format('%s of %s taken back of category %s', b.goods, coalesce(s.goods, 0), b.category)
      FROM (SELECT r.entity_id AS order_id, c ->> 'categoryId' AS category, sum((c ->> 'goodsMinor')::bigint) AS goods
              FROM domain_events r, jsonb_array_elements(r.data -> 'categories') c WHERE r.type = 'refund.completed' GROUP BY 1, 2) b
      LEFT JOIN LATERAL (SELECT sum(i.total_minor - i.discount_minor) AS goods FROM order_items i
        WHERE i.order_id = b.order_id AND i.category_id::text IS NOT DISTINCT FROM b.category) s ON true
      WHERE b.goods > coalesce(s.goods, 0)) AS found GROUP BY entity`,
  },
];
