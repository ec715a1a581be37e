import { z } from 'zod';
import type { ProductRow } from '../../db/catalog/shop/shop-product-columns.reads';

type Ratings = ProductRow['ratings'];

/** The rating of a product, from its published reviews. */
export const Rating = z.object({
  average: z.number().describe('The mean of all stars, 0 without reviews.'),
  count: z.number().describe('How many there are.'),
});

/** A rating with the number of reviews for each number of stars. */
export const RatingSummary = Rating.extend({
  distribution: z
    .object({
      1: z.number().describe('Reviews with one star.'),
      2: z.number().describe('Reviews with two stars.'),
      3: z.number().describe('Reviews with three stars.'),
      4: z.number().describe('Reviews with four stars.'),
      5: z.number().describe('Reviews with five stars.'),
    })
    .meta({ description: 'The number of reviews for each number of stars.' }),
}).meta({ id: 'RatingSummary' });

/** The average to two decimals, 0 without reviews, from the numbers of reviews with 1, 2, 3, 4 and 5 stars. */
export function ratingOf(ratings: Ratings): z.output<typeof Rating> {
  const count = ratings.reduce((sum, times) => sum + times, 0);
  const stars = ratings.reduce((sum, times, index) => sum + times * (index + 1), 0);
  return { average: count === 0 ? 0 : Math.round((stars * 100) / count) / 100, count };
}

export function ratingSummaryOf(ratings: Ratings): z.output<typeof RatingSummary> {
  const [one, two, three, four, five] = ratings;
  return { ...ratingOf(ratings), distribution: { 1: one, 2: two, 3: three, 4: four, 5: five } };
}
