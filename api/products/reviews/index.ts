import { addHelpful } from './helpful/add';
import { removeHelpful } from './helpful/remove';
import { listReviews } from './list';
import { writeReviewEndpoint } from './write';

export const reviewEndpoints = [listReviews, writeReviewEndpoint, addHelpful, removeHelpful];
