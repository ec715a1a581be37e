import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import type { RefundedCategory } from '../../../workflows/commerce/refund/refunded-categories.rules';
import type { KycRejectionReason, ReviewedLevel } from '../../../workflows/kyc/kyc.rules';
import { consumersOf } from '../../../workflows/administration/domain-event/consumers.rules';
import { execute, type Tx } from '../../sql/query';
import type { DomainEvent as DomainEventModel } from './domain-event.model';

/** A business event that other areas act on, with the data that the named rows do not have. */
export type DomainEvent = OrderEvent | ChargebackEvent | KycEvent | InvestmentEvent | PartnerEvent;

type OrderEvent =
  | {
      type: 'order.paid';
      orderId: string;
      /** Goods after discount, before tax and shipping: the base of the partner programme. */
      goodsMinor: number;
      currency: string;
      /** The first order of its buyer that was ever paid. */
      isFirst: boolean;
    }
  | {
      type: 'refund.completed';
      orderId: string;
      /** Null when the order was cancelled and refunded in full. */
      refundRequestId: string | null;
      /** The refunded part of the goods after discount, before tax and shipping. */
      goodsMinor: number;
      /** The part of its money that lost chargebacks paid when it was announced, and so took back themselves. */
      chargedBackMinor: number;
      /** The refunded part of the shipping, before tax. */
      shippingMinor: number;
      /** The refunded part of the tax, of goods and of shipping. */
      taxMinor: number;
      /** `goodsMinor` by the category that the goods had when they were ordered. */
      categories: RefundedCategory[];
      currency: string;
    }
  | {
      /** Lost chargebacks paid money of a refund that had been announced before, and was owed again. */
      type: 'refund.charged_back';
      orderId: string;
      /** Of that refund, as it was announced. */
      refundRequestId: string | null;
      /** This end of the refund; the same money may be owed again and be paid once more. */
      endingId: string;
      amountMinor: number;
      currency: string;
    };

/** Money of an announced refund, `refundRequestId` as it was announced; one refund may have several parts. */
export interface RefundOwed {
  refundRequestId: string | null;
  amountMinor: number;
}

/**
 * Money that paid for it, lost to a bank for good, or returned after it was lost. `chargebackId`: once for each type.
 * `refundsOwed`: the money of announced refunds that was paid by a returned one, and is owed again.
 */
export type ChargebackEvent = {
  type: 'chargeback.lost' | 'chargeback.returned';
  chargebackId: string;
  userId: string;
  amountMinor: number;
  currency: string;
} & ({ orderId: string; refundsOwed: RefundOwed[] } | { participationId: string } | { entranceId: string });

/** `level`: the one that was requested; of an approval the one that was granted. */
type KycEvent = { kycId: string; userId: string } & (
  | { type: 'kyc.submitted'; submissionId: string; level: ReviewedLevel }
  | { type: 'kyc.approved'; level: ReviewedLevel }
  | { type: 'kyc.rejected'; reason: KycRejectionReason; level: ReviewedLevel }
  | { type: 'kyc.expired' }
);

/** `transactionId`: the DEPOSIT or PROFIT transaction, the source of commissions. */
type InvestmentEvent = {
  type: 'investment.created' | 'profit.distributed';
  participationId: string;
  transactionId: string;
  userId: string;
  amountMinor: number;
  currency: string;
};

/** `entranceId`: the paid entrance fee. `activationId`: the end of one suspension. `rankingId`: one rank set by hand. */
type PartnerEvent = { partnerId: string; userId: string } & (
  | { type: 'partner.joined' }
  | { type: 'partner.activated'; activationId: string }
  | { type: 'partner.ranked'; rankingId: string }
  | { type: 'entrance.paid'; entranceId: string; amountMinor: number; currency: string }
);

/**
 * Records an event in the transaction of its change, and its deliveries with it. A repeated event is recorded once. The caller
 * holds the lock of the event's entity, so that positions rise in the order of what happened to it.
 */
export async function announce(tx: Tx, event: DomainEvent, at: string): Promise<void> {
  const { type, ...data } = event;
  const row: Pick<Attributes<DomainEventModel>, 'type' | 'reference' | 'entityId' | 'data'> = {
    type,
    reference: `${type}:${subjectOf(event)}`,
    entityId: entityOf(event),
    data,
  };
  await execute(
    tx,
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
       VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT ON CONSTRAINT domain_events_reference_key DO NOTHING
       RETURNING position, entity_id, type, occurred_at)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at)
     SELECT consumer, position, entity_id, type, occurred_at FROM announced, unnest($7::text[]) AS consumer`,
    [v7(), row.type, row.reference, row.entityId, JSON.stringify(row.data), at, consumersOf(type)],
  );
}

/** Events of one entity are applied in their order: a chargeback comes after the payment of the same thing. */
function entityOf(event: DomainEvent): string {
  if ('kycId' in event) return event.kycId;
  if ('participationId' in event) return event.participationId;
  if ('orderId' in event) return event.orderId;
  return 'entranceId' in event ? event.entranceId : event.partnerId;
}

/** The id that happens once for this type of event. */
function subjectOf(event: DomainEvent): string {
  if (event.type === 'kyc.submitted') return event.submissionId;
  if ('kycId' in event) return event.kycId;
  if (event.type === 'refund.charged_back') return event.endingId;
  if ('chargebackId' in event) return event.chargebackId;
  if ('transactionId' in event) return event.transactionId;
  if (event.type === 'entrance.paid') return event.entranceId;
  if (event.type === 'partner.joined') return event.partnerId;
  if (event.type === 'partner.activated') return event.activationId;
  if (event.type === 'partner.ranked') return event.rankingId;
  return ('refundRequestId' in event ? event.refundRequestId : null) ?? event.orderId;
}
