import {
  refundedCategories,
  type CategoryGoods,
  type RefundedCategory,
} from '../../../workflows/commerce/refund/refunded-categories.rules';
import { rows, type Tx } from '../../sql/query';

/**
 * The goods of a refund by the categories of its order's lines, by what is left of each; null: the refund of a cancellation.
 * Who announces refunds of an order holds its lock, so that none is divided twice by the same rest.
 */
export async function refundedByCategory(
  tx: Tx,
  refundRequestId: string | null,
  { orderId, goodsMinor }: { orderId: string; goodsMinor: number },
): Promise<RefundedCategory[]> {
  const categories = await rows<CategoryGoods>(
    tx,
    `WITH units AS (
       SELECT u.order_item_id, sum(u.goods_minor) FILTER (WHERE u.refund_request_id = $2) AS own,
              sum(u.goods_minor) FILTER (WHERE u.refund_request_id IS DISTINCT FROM $2) AS promised
         FROM refund_requests r JOIN refund_request_items u ON u.refund_request_id = r.id
        WHERE r.order_id = $1 AND r.approved_minor IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM domain_events e WHERE e.reference = 'refund.completed:' || r.id)
        GROUP BY u.order_item_id
     ), announced AS (
       SELECT (c ->> 'categoryId')::uuid AS category_id, sum((c ->> 'goodsMinor')::bigint) AS goods
         FROM domain_events e CROSS JOIN LATERAL jsonb_array_elements(e.data -> 'categories') AS c
        WHERE e.entity_id = $1 AND e.type = 'refund.completed' GROUP BY 1
     )
     SELECT l.category_id, l.sold::bigint AS sold_minor, coalesce(a.goods, 0)::bigint AS announced_minor,
            coalesce(l.own, 0)::bigint AS own_minor, coalesce(l.promised, 0)::bigint AS promised_minor
       FROM (SELECT i.category_id, sum(i.total_minor - i.discount_minor) AS sold, sum(u.own) AS own, sum(u.promised) AS promised
               FROM order_items i LEFT JOIN units u ON u.order_item_id = i.id
              WHERE i.order_id = $1 GROUP BY i.category_id) AS l
       LEFT JOIN announced a ON a.category_id IS NOT DISTINCT FROM l.category_id
      ORDER BY l.category_id`,
    [orderId, refundRequestId],
  );
  return refundedCategories(goodsMinor, categories);
}
