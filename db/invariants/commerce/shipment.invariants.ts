import type { Invariant } from '../invariant';

/** Rules of parcels: they agree with the status of their orders. */
export const shipmentInvariants: readonly Invariant[] = [
  {
    id: 'shipments.follow-their-orders',
    says: 'A parcel left and arrived at exactly the times at which its order became SHIPPED and DELIVERED.',
    sql: `SELECT o.id AS entity, format('left %s and arrived %s; became SHIPPED %s and DELIVERED %s',
        coalesce(s.shipped_at::text, 'never'), coalesce(s.delivered_at::text, 'never'),
        coalesce(h.shipped::text, 'never'), coalesce(h.delivered::text, 'never')) AS detail
      FROM orders o
      LEFT JOIN shipments s ON s.order_id = o.id
      LEFT JOIN (
        SELECT order_id, max(changed_at) FILTER (WHERE status = 'SHIPPED') AS shipped,
          max(changed_at) FILTER (WHERE status = 'DELIVERED') AS delivered
        FROM order_status_changes WHERE status IN ('SHIPPED', 'DELIVERED') GROUP BY order_id
      ) AS h ON h.order_id = o.id
      WHERE s.shipped_at IS DISTINCT FROM h.shipped OR s.delivered_at IS DISTINCT FROM h.delivered`,
  },
  {
    id: 'shipments.can-be-followed',
    says: 'A parcel that left or arrived has an event of that time, and a parcel that never left has none.',
    sql: `SELECT s.order_id AS entity, 'there is no event ' || w.status || ' of ' || w.moment AS detail
      FROM shipments s
      CROSS JOIN LATERAL (VALUES ('SHIPPED', s.shipped_at), ('DELIVERED', s.delivered_at)) AS w (status, moment)
      WHERE w.moment IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tracking_events e
        WHERE e.order_id = s.order_id AND e.status = w.status AND e.happened_at = w.moment)
      UNION ALL
      SELECT e.order_id, format('%s of a parcel that never left', e.status)
      FROM tracking_events e
      WHERE NOT EXISTS (SELECT 1 FROM shipments s WHERE s.order_id = e.order_id AND s.shipped_at IS NOT NULL)`,
  },
];
