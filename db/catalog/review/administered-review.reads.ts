import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import { anywhere, contains } from '../../sql/text/search';
import { firstRow, rows, type Db } from '../../sql/query';
import { REVIEW_COLUMNS, type ReviewRow } from './review-columns.reads';

/** Conditions on reviews; those left out do not apply. */
export interface ReviewFilter {
  status?: ReviewStatus | undefined;
  productId?: string | undefined;
  rating?: number | undefined;
  /** Part of the title or text, ignoring case and accents. */
  search?: string | undefined;
}

export interface AdministeredReview extends ReviewRow {
  status: ReviewStatus;
  productId: string;
  productName: string;
  authorEmail: string;
}

const COLUMNS = `${REVIEW_COLUMNS}, r.status, r.product_id, p.name AS product_name,
  u.email AS author_email`;
const JOINS = 'JOIN users u ON u.id = r.user_id JOIN products p ON p.id = r.product_id';

/** The expression of the index reviews_search_idx. */
const SEARCHED = `(coalesce(r.title, '') || E'\\n' || r.content)`;

/** One page of the reviews that match, by age; `total` counts all that match. */
export async function administeredReviews(
  db: Db,
  filter: ReviewFilter,
  { sortOrder, limit, offset }: { sortOrder: 'asc' | 'desc'; limit: number; offset: number },
): Promise<{ total: number; reviews: AdministeredReview[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM reviews r WHERE ${where}`,
    values,
  );
  const sorted = `ORDER BY r.created_at ${sortOrder}, r.id ${sortOrder}`;
  const reviews = await rows<AdministeredReview>(
    db,
    `WITH r AS MATERIALIZED (
       SELECT r.* FROM reviews r WHERE ${where} ${sorted} LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT ${COLUMNS} FROM r ${JOINS} ${sorted}`,
    values,
  );
  return { total: counted?.total ?? 0, reviews };
}

/** A review as administrators see it; null if it does not exist. */
export const administeredReview = (db: Db, id: string): Promise<AdministeredReview | null> =>
  firstRow<AdministeredReview>(db, `SELECT ${COLUMNS} FROM reviews r ${JOINS} WHERE r.id = $1`, [id]);

function conditionsOf(
  { status, productId, rating, search }: ReviewFilter,
  bind: (value: unknown) => string,
): string {
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`r.status = ${bind(status)}`);
  if (productId !== undefined) conditions.push(`r.product_id = ${bind(productId)}`);
  if (rating !== undefined) conditions.push(`r.rating = ${bind(rating)}::int`);
  if (search !== undefined && search !== '') conditions.push(contains(SEARCHED, bind(anywhere(search))));
  return conditions.join(' AND ');
}
