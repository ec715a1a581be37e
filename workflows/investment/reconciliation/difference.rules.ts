/** The movements that providers report, by the type of the transaction that they become here. */
export const REPORTED_TYPES = ['DEPOSIT', 'PROFIT', 'WITHDRAWAL'] as const;
export type ReportedType = (typeof REPORTED_TYPES)[number];

/**
 * Differences between what a provider reported and what is held here. NOT_REPORTED: a participation runs or has run, and
 * its provider has not confirmed it. PRINCIPAL_DIFFERS, PROFITS_DIFFER, WITHDRAWAL_DIFFERS: amounts of one that both know.
 * UNKNOWN_HERE: an investment that no participation is.
 */
export const DIFFERENCE_KINDS = [
  'NOT_REPORTED',
  'PRINCIPAL_DIFFERS',
  'PROFITS_DIFFER',
  'UNKNOWN_HERE',
  'WITHDRAWAL_DIFFERS',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];
