/** The kinds of movements that people see in their wallet. */
export const ENTRY_TYPES = [
  'ORDER_PAYMENT',
  'ORDER_RELEASE',
  'ORDER_REFUND',
  'INVESTMENT',
  'INVESTMENT_PAYOUT',
  'INVESTMENT_RETURN',
  'ENTRANCE_FEE',
  'TOP_UP',
  'TOP_UP_CHARGEBACK',
  'WITHDRAWAL',
  'PAYOUT',
  'ADJUSTMENT',
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];
