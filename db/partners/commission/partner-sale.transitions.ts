import type { Attributes, CreationAttributes } from 'sequelize';
import { firstRow, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { SaleRefund, SoldLine } from '../../../workflows/partners/commission/taking-back.rules';
import { isUncounted, refundsOwedMinor } from '../event/event-cause.transitions';
import { PartnerSale, type TakingBackKind } from './partner-sale.model';

export type { TakingBackKind };

/** An order as the programme counts it; its buyer is locked. */
export interface SoldOrder {
  buyerId: string;
  /** The partner that has referred the buyer. */
  sponsorId: string | null;
  currency: string;
  /** The first order of its buyer that was ever paid. */
  isFirst: boolean;
  lines: SoldLine[];
}

const LINES = `(SELECT json_agg(json_build_object('id', i.id, 'goodsMinor', i.total_minor - i.discount_minor,
    'commissionBp', i.commission_bp, 'careerPointsBp', i.career_points_bp) ORDER BY i.position)
  FROM order_items i WHERE i.order_id = o.id)`;

/** Reads a paid order and locks its buyer, so that orders of one buyer are counted one after the other. */
export async function lockSoldOrder(tx: Tx, orderId: string): Promise<SoldOrder> {
  const order = await firstRow<SoldOrder>(
    tx,
    `SELECT u.id AS buyer_id, u.sponsor_id, o.currency, o.is_first, ${LINES} AS lines
     FROM orders o JOIN users u ON u.id = o.user_id
     WHERE o.id = $1 AND o.paid_at IS NOT NULL FOR NO KEY UPDATE OF u`,
    [orderId],
  );
  if (!order) throw new Error(`There is no paid order ${orderId}.`);
  return order;
}

/** Counts a sale, or what is taken back of one. */
export const insertSale = (tx: Tx, sale: CreationAttributes<PartnerSale>): Promise<void> =>
  table(tx, PartnerSale).insert(sale);

/** A counted sale, with all that was taken back of it before. */
export interface CountedSale extends Pick<
  Attributes<PartnerSale>,
  'sourceId' | 'buyerId' | 'partnerId' | 'baseMinor' | 'points' | 'currency' | 'programmeVersion'
> {
  commissionWeight: string;
  pointsWeight: string;
  /** Of an order; empty of an investment. */
  lines: SoldLine[];
  /** The amount that was paid for it in all. */
  paidMinor: number;
  /** The part of it that banks have taken back for good, by this event and those counted before. */
  chargedBackMinor: number;
  /** The part of the refunds counted by then that lost chargebacks have paid. */
  refundsChargedBackMinor: number;
  backBaseMinor: number;
  backCommissionWeight: string;
  backPointsWeight: string;
  backPoints: number;
}

/**
 * The sum of the lost chargebacks of what was sold (`entity`) that were counted, that of event `event` included, less those whose
 * return was. A fragment.
 */
const lostMinor = (entity: string, event: string): string => `
  (SELECT coalesce(sum((l.data ->> 'amountMinor')::bigint), 0)::bigint FROM domain_events l
    WHERE l.entity_id = ${entity} AND l.type = 'chargeback.lost' AND (NOT ${isUncounted('l.position')} OR l.id = ${event})
      AND NOT EXISTS (SELECT FROM domain_events b
        WHERE b.reference = 'chargeback.returned:' || (l.data ->> 'chargebackId')
          AND (NOT ${isUncounted('b.position')} OR b.id = ${event})))`;

/**
 * The part of the refunds of an order (`entity`) that lost chargebacks have paid, by the events that were counted, event `event`
 * included: what they paid when the refund was announced and later on, less what their returns made owed again. Of events alone, as
 * the rest is: the payments and refunds may be further than the events that were counted. A fragment.
 */
const refundsPaidMinor = (entity: string, event: string): string => `
  (SELECT coalesce(sum(CASE p.type WHEN 'refund.completed' THEN (p.data ->> 'chargedBackMinor')::bigint
      WHEN 'refund.charged_back' THEN (p.data ->> 'amountMinor')::bigint
      ELSE -${refundsOwedMinor('p', event)} END), 0)::bigint FROM domain_events p
    WHERE p.entity_id = ${entity} AND p.type IN ('refund.completed', 'refund.charged_back', 'chargeback.returned')
      AND (NOT ${isUncounted('p.position')} OR p.id = ${event}))`;

/**
 * Reads the sale of an order or a participation as an event of it finds it; null while it is not counted. Its payment's event
 * is locked, so nothing is taken back at the same time.
 */
export function countedSale(tx: Tx, entityId: string, eventId: string): Promise<CountedSale | null> {
  return firstRow<CountedSale>(
    tx,
    `SELECT s.source_id, s.buyer_id, s.partner_id, s.base_minor, s.points, s.currency, s.programme_version,
       s.commission_weight, s.points_weight, coalesce(${LINES}, '[]') AS lines,
       coalesce(o.total_minor, s.base_minor) AS paid_minor, ${lostMinor('$1', '$2')} AS charged_back_minor,
       ${refundsPaidMinor('$1', '$2')} AS refunds_charged_back_minor,
       coalesce(-r.base_minor, 0)::bigint AS back_base_minor,
       coalesce(-r.commission_weight, 0) AS back_commission_weight,
       coalesce(-r.points_weight, 0) AS back_points_weight, coalesce(-r.points, 0)::bigint AS back_points
     FROM domain_events e JOIN partner_sales s ON s.event_id = e.id AND s.kind IN ('ORDER', 'INVESTMENT')
     LEFT JOIN orders o ON s.kind = 'ORDER' AND o.id = s.source_id
     CROSS JOIN LATERAL (SELECT sum(b.base_minor) AS base_minor, sum(b.commission_weight) AS commission_weight,
         sum(b.points_weight) AS points_weight, sum(b.points) AS points
       FROM partner_sales b
       WHERE b.source_id = s.source_id AND b.kind IN ('REFUND', 'CHARGEBACK', 'RETURN')) r
     WHERE e.entity_id = $1 AND e.type IN ('order.paid', 'investment.created')
     ORDER BY s.number LIMIT 1`,
    [entityId, eventId],
  );
}

/** The amount of an entrance fee that banks have taken back for good, by this event and those counted before. */
export async function entranceChargedBack(tx: Tx, entranceId: string, eventId: string): Promise<number> {
  const lost = await firstRow<{ minor: number }>(tx, `SELECT ${lostMinor('$1', '$2')} AS minor`, [
    ...[entranceId, eventId],
  ]);
  return lost?.minor ?? 0;
}

/** The refunds of an order that were counted and that of this event if it is one, by their time, whichever was counted first. */
export async function refundsUpTo(tx: Tx, orderId: string, eventId: string): Promise<SaleRefund[]> {
  return rows<SaleRefund>(
    tx,
    `SELECT (e.data ->> 'goodsMinor')::bigint AS goods_minor, coalesce((
         SELECT json_agg(json_build_object('lineId', i.order_item_id, 'goodsMinor', i.goods_minor) ORDER BY i.order_item_id)
         FROM refund_request_items i WHERE i.refund_request_id = (e.data ->> 'refundRequestId')::uuid), '[]') AS parts
     FROM domain_events e LEFT JOIN partner_sales s ON s.event_id = e.id
     WHERE e.type = 'refund.completed' AND e.entity_id = $1 AND (s.id IS NOT NULL OR e.id = $2)
     ORDER BY e.occurred_at, e.id`,
    [orderId, eventId],
  );
}

/** A participation as the programme counts its deposit. */
export interface SoldInvestment {
  sponsorId: string | null;
  /** It is the next term of a matured one: its money was counted with the first. */
  isNextTerm: boolean;
  commissionBp: number;
  careerPointsBp: number;
}

export async function soldInvestment(tx: Tx, participationId: string): Promise<SoldInvestment> {
  const investment = await firstRow<SoldInvestment>(
    tx,
    `SELECT u.sponsor_id, p.origin = 'REINVESTMENT' AS is_next_term, p.commission_bp, p.career_points_bp
     FROM participations p JOIN users u ON u.id = p.user_id WHERE p.id = $1`,
    [participationId],
  );
  if (!investment) throw new Error(`There is no participation ${participationId}.`);
  return investment;
}
