import { listAdminReviews } from './list';
import { publishReview } from './publish';
import { rejectReview } from './reject';
import { respondToReviewEndpoint } from './respond';

export const adminReviewEndpoints = [listAdminReviews, publishReview, rejectReview, respondToReviewEndpoint];
