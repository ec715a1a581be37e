import { listAdminReviews } from './list';
import { publishReviewEndpoint } from './publish';
import { rejectReviewEndpoint } from './reject';
import { respondToReviewEndpoint } from './respond';

export const adminReviewEndpoints = [
  listAdminReviews,
  publishReviewEndpoint,
  rejectReviewEndpoint,
  respondToReviewEndpoint,
];
