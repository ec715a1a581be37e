import type { ReviewedLevel } from './kyc.rules';

/** Months for which an approval holds, by its level; BASIC comes with the email address and does not expire. */
const MONTHS: Readonly<Record<ReviewedLevel, number | null>> = { BASIC: null, STANDARD: 24, ENHANCED: 12 };

/** The same day and time so many calendar months later, in UTC; the last day of a month that has no such day. */
function addMonths(moment: Date, months: number): Date {
  const later = new Date(moment);
  later.setUTCMonth(later.getUTCMonth() + months);
  // 29 February of a common year has become 1 March.
  if (later.getUTCDate() !== moment.getUTCDate()) later.setUTCDate(0);
  return later;
}

const DAY_MS = 86_400_000;

/** The moment at which an identity document expires: the end of its last day, in UTC. */
const documentEnd = (expiryDate: string): Date =>
  new Date(Date.parse(`${expiryDate}T00:00:00.000Z`) + DAY_MS);

/** Tells whether an identity document has expired at a time. */
export const isDocumentExpired = (expiryDate: string, at: Date): boolean => documentEnd(expiryDate) <= at;

/**
 * When an approval expires: after the period of its level, or at the time that the reviewer sets, and never after the
 * identity document. Null: it does not.
 */
export function approvalEnd(
  level: ReviewedLevel,
  {
    approvedAt,
    documentExpiryDate,
    chosen,
  }: { approvedAt: Date; documentExpiryDate: string; chosen: Date | null },
): Date | null {
  const months = MONTHS[level];
  if (months === null) return null;
  const end = chosen ?? addMonths(approvedAt, months);
  const documentEnds = documentEnd(documentExpiryDate);
  return documentEnds < end ? documentEnds : end;
}
