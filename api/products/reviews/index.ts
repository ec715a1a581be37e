import { addHelpfulEndpoint } from './helpful/add';
import { removeHelpfulEndpoint } from './helpful/remove';
import { listReviewsEndpoint } from './list';
import { writeReviewEndpoint } from './write';

export const reviewEndpoints = [
  listReviewsEndpoint,
  writeReviewEndpoint,
  addHelpfulEndpoint,
  removeHelpfulEndpoint,
];
