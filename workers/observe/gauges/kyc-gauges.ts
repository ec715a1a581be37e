import type { KycFigures } from '../../../db/administration/operations/kyc-figures.reads';
import type { AddGauge } from './business-gauges';

/** Registers the gauges of identity verification, and returns the function that sets them. */
export function kycGauges(add: AddGauge): (figures: KycFigures) => void {
  const reviews = add('platform_kyc_reviews', 'Identity verifications that are not decided.', 'status');
  const overdue = add(
    'platform_kyc_overdue_reviews',
    'Of those with a reviewer or in the queue, the overdue.',
  );
  const escalated = add('platform_kyc_escalated_reviews', 'Of the overdue, those that were escalated.');
  const oldest = add(
    'platform_kyc_oldest_review_seconds',
    'Time since the submission of the one that has waited for a reviewer longest.',
  );
  return (figures) => {
    for (const { status, reviews: count } of figures.reviews) reviews.set({ status }, count);
    overdue.set(figures.overdue);
    escalated.set(figures.escalated);
    oldest.set(figures.oldestSeconds);
  };
}
