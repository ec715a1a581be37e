/** The ways to pay money into a wallet. */
export const TOP_UP_METHODS = ['CARD', 'EWALLET', 'BANK_TRANSFER'] as const;
export type TopUpMethod = (typeof TOP_UP_METHODS)[number];

/** REFUNDED: money that came too late for a cancelled one is back. */
export const TOP_UP_PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED'] as const;
export type TopUpPaymentStatus = (typeof TOP_UP_PAYMENT_STATUSES)[number];
