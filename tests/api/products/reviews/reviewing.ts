import supertest, { type Response } from 'supertest';
import { z } from 'zod';
import { adminReviewEndpoints } from '../../../../api/admin/reviews';
import { productEndpoints } from '../../../../api/products';
import { firstRow, type Db } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { serverOf } from '../../http/shop';

type Method = 'get' | 'post' | 'delete';

interface Asking {
  /** The caller's id, by default none; `<id>:ADMIN` for an administrator. */
  as?: string | undefined;
  body?: object;
  query?: object;
  key?: string;
}

/** Reviews and their administration, over a database of the calling file. */
export interface Reviewing {
  readonly db: Db;
  ask: (method: Method, path: string, asking?: Asking) => Promise<Response>;
  /** Creates a buyer of this product; answers their id. */
  buyerOf: (productId: string) => Promise<string>;
  /** The ratings of the product, as stored and as summed up from its published reviews. */
  ratings: (productId: string) => Promise<{ stored: number[]; counted: number[] }>;
}

/** To be called at a file's top level. */
export function ownReviewing(): Reviewing {
  const database = ownDatabase();
  let app: ReturnType<typeof serverOf> | undefined;
  const open = () =>
    (app ??= serverOf({ db: database.db, endpoints: [...productEndpoints, ...adminReviewEndpoints] }));
  return {
    get db() {
      return database.db;
    },
    async ask(method, path, { as, body, query, key } = {}) {
      const request = supertest(open())[method](`/api/v1${path}`);
      if (as !== undefined) void request.set('authorization', `Bearer ${as}`);
      if (key !== undefined) void request.set('idempotency-key', key);
      if (query) void request.query(query);
      return body ? request.send(body) : request;
    },
    async buyerOf(productId) {
      const { id } = await make.user(database.db);
      await make.purchase(database.db, { userId: id, productId });
      return id;
    },
    async ratings(productId) {
      const found = await firstRow<{ stored: number[]; counted: number[] }>(
        database.db,
        `SELECT p.ratings AS stored, ARRAY(
           SELECT count(r.id)::int FROM generate_series(1, 5) AS stars LEFT JOIN reviews r
             ON r.product_id = p.id AND r.rating = stars AND r.status = 'PUBLISHED'
           GROUP BY stars ORDER BY stars) AS counted
         FROM products p WHERE p.id = $1`,
        [productId],
      );
      return found!;
    },
  };
}

/** An answer's status and error code in one line. */
export const resultOf = ({ status, body }: Response): string =>
  status < 400 ? String(status) : `${status} ${(body as { error: { code: string } }).error.code}`;

/** The number of answers by status and error code. */
export function resultCounts(answers: readonly Response[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const answer of answers) counted[resultOf(answer)] = (counted[resultOf(answer)] ?? 0) + 1;
  return counted;
}

const moment = z.iso.datetime();
const words = {
  title: z.string().nullable(),
  content: z.string(),
  pros: z.array(z.string()),
  cons: z.array(z.string()),
};
const response = z.strictObject({ content: z.string(), respondedAt: moment }).nullable();
const pagination = z.strictObject({
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  totalPages: z.int(),
  hasNext: z.boolean(),
  hasPrevious: z.boolean(),
});

/** Document 1 §2.4, exactly. */
export const ReviewList = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    reviews: z.array(
      z.strictObject({
        id: z.uuid(),
        author: z.strictObject({
          id: z.uuid(),
          name: z.string(),
          avatarUrl: z.string().nullable(),
          isVerifiedPurchaser: z.boolean(),
        }),
        rating: z.int(),
        ...words,
        helpfulCount: z.int(),
        isHelpful: z.boolean().nullable(),
        images: z.array(z.strictObject({ url: z.string(), thumbnailUrl: z.string() })),
        response,
        createdAt: moment,
        updatedAt: moment.nullable(),
      }),
    ),
    summary: z.strictObject({
      average: z.number(),
      count: z.int(),
      distribution: z.strictObject({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() }),
    }),
  }),
  meta: z.strictObject({ pagination }),
});

/** Document 1 §4.1: the answer to the author of a review. */
export const WrittenReview = z.strictObject({
  id: z.uuid(),
  rating: z.int(),
  ...words,
  status: z.enum(['PENDING', 'PUBLISHED']),
  createdAt: moment,
});

/** A review as administrators see it. */
export const ModeratedReview = z.strictObject({
  id: z.uuid(),
  product: z.strictObject({ id: z.uuid(), name: z.string() }),
  author: z.strictObject({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    isVerifiedPurchaser: z.boolean(),
  }),
  rating: z.int(),
  ...words,
  status: z.enum(['PENDING', 'PUBLISHED', 'REJECTED']),
  helpfulCount: z.int(),
  response,
  createdAt: moment,
  updatedAt: moment.nullable(),
});
