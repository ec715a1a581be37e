/**
 * RECEIVED: the provider has paid us what it owed. SENT: we have paid it, beyond the principal of investments, which is booked as
 * it is invested.
 */
export const PAYMENT_DIRECTIONS = ['RECEIVED', 'SENT'] as const;

export type PaymentDirection = (typeof PAYMENT_DIRECTIONS)[number];
