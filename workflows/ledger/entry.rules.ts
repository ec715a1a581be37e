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

const KINDS: readonly [reference: RegExp, type: EntryType][] = [
  [/^order:[^:]+:\w+:release$/, 'ORDER_RELEASE'],
  [/^order:[^:]+:\w+:refund$/, 'ORDER_REFUND'],
  [/^refund:/, 'ORDER_REFUND'],
  [/^order:/, 'ORDER_PAYMENT'],
  [/^participation:[^:]+:payment$/, 'INVESTMENT'],
  [/^(participation|provider-payout|withdrawal):/, 'INVESTMENT_PAYOUT'],
  [/^profit:/, 'INVESTMENT_RETURN'],
  [/^entrance:/, 'ENTRANCE_FEE'],
  [/^top-up:[^:]+:chargeback:/, 'TOP_UP_CHARGEBACK'],
  [/^top-up:/, 'TOP_UP'],
  [/^wallet-withdrawal:/, 'WITHDRAWAL'],
  [/^payout:/, 'PAYOUT'],
];

/** The kind of a movement, by the name of its transfer's business event; without a known name, an adjustment. */
export const entryType = (reference: string): EntryType =>
  KINDS.find(([pattern]) => pattern.test(reference))?.[1] ?? 'ADJUSTMENT';
