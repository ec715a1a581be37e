/** The types of business events, by the entity in the order of whose events they are applied. */
export const EVENT_TYPES = [
  // Of an order, a participation or an entrance fee.
  'order.paid',
  'investment.created',
  'entrance.paid',
  'refund.completed',
  'refund.charged_back',
  'chargeback.lost',
  'chargeback.returned',
  'profit.distributed',
  // Of a partner.
  'partner.joined',
  'partner.activated',
  'partner.ranked',
  // Of a verification.
  'kyc.submitted',
  'kyc.approved',
  'kyc.rejected',
  'kyc.expired',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** An area that acts on events of others. */
export type Consumer = 'commissions';

/**
 * The events that each consumer gets. One that is added here gets those from then on; its migration inserts the deliveries of
 * earlier ones.
 */
export const CONSUMERS: Readonly<Record<Consumer, readonly EventType[]>> = {
  commissions: [
    'order.paid',
    'investment.created',
    'entrance.paid',
    'refund.completed',
    'refund.charged_back',
    'chargeback.lost',
    'chargeback.returned',
    'profit.distributed',
    'partner.joined',
    'partner.activated',
    'partner.ranked',
  ],
};

export const CONSUMER_NAMES = Object.keys(CONSUMERS) as readonly Consumer[];

/** The consumers that get events of a type. */
export const consumersOf = (type: EventType): Consumer[] =>
  (Object.keys(CONSUMERS) as Consumer[]).filter((consumer) => CONSUMERS[consumer].includes(type));
