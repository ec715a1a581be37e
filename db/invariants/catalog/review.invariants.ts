import type { Invariant } from '../invariant';

/** Rules of reviews: ratings and votes are counted. */
export const reviewInvariants: readonly Invariant[] = [
  {
    id: 'review.ratings-count-what-is-published',
    says: 'A product is rated by the reviews of it that are published, and by nothing else.',
    sql: `WITH given AS (
        SELECT product_id, ARRAY[count(*) FILTER (WHERE rating = 1), count(*) FILTER (WHERE rating = 2),
          count(*) FILTER (WHERE rating = 3), count(*) FILTER (WHERE rating = 4),
          count(*) FILTER (WHERE rating = 5)]::int[] AS ratings
        FROM reviews WHERE status = 'PUBLISHED' GROUP BY product_id
      )
      SELECT p.id AS entity, format('rated %s, the published reviews make %s', p.ratings, g.ratings) AS detail
      FROM products p LEFT JOIN given g ON g.product_id = p.id
      WHERE p.ratings <> coalesce(g.ratings, '{0,0,0,0,0}')`,
  },
  {
    id: 'review.helpful-counts-votes',
    says: 'The helpful count of a review is its number of votes, and its author has none among them.',
    sql: `SELECT r.id AS entity, format('helpful %s times, by %s votes, %s of them the author’s', r.helpful_count,
        coalesce(v.votes, 0), coalesce(v.own, 0)) AS detail
      FROM reviews r
      LEFT JOIN (
        SELECT v.review_id, count(*) AS votes, count(*) FILTER (WHERE v.user_id = a.user_id) AS own
        FROM review_votes v JOIN reviews a ON a.id = v.review_id GROUP BY v.review_id
      ) AS v ON v.review_id = r.id
      WHERE r.helpful_count <> coalesce(v.votes, 0) OR coalesce(v.own, 0) > 0`,
  },
];
