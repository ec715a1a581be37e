import { z } from 'zod';
import {
  productsAfter,
  type ExportedProduct,
  type AdministeredFilter,
} from '../../../../db/catalog/product/administered-product-list.reads';
import type { Db } from '../../../../db/sql/query';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { csvFile } from '../../../http/answer/files/csv-file';
import { TextChunks } from '../../../http/answer/files/text-stream';
import { COLUMNS, rowOf } from './columns';
import { productQuery } from '../product.view';

/** Products per chunk: the most that are in memory at once. */
const CHUNK_PRODUCTS = 500;

export const exportProducts = endpoint({
  id: 'exportProducts',
  returns: 'The products as CSV',
  method: 'get',
  path: '/admin/products/export',
  summary: 'Export products as a file',
  description: `CSV in UTF-8 with a byte order mark and the columns ${COLUMNS.map((column) => `\`${column}\``).join(', ')}: \`category\` is a slug, \`attributes\` are JSON, \`tags\` are separated by commas, \`stockQuantity\` is that of the product without its variants, for reading only: importing sets stock by a separate column. A text that a spreadsheet could take for a formula has an apostrophe before it, which importing removes.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(productQuery),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: {},

  handle({ query: { status, categoryId, search } }, { db, reply }) {
    reply.download(`products-${new Date().toISOString().slice(0, 10)}.csv`);
    const filter = { status: status === 'ALL' ? undefined : status, categoryId, search };
    return Promise.resolve(chunksOf(db, filter));
  },
});

const chunksOf = (db: Db, filter: AdministeredFilter): AsyncGenerator<string> =>
  csvFile<ExportedProduct>({
    columns: COLUMNS,
    cells: rowOf,
    after: (last, limit) => productsAfter(db, filter, last?.id ?? null, limit),
    chunk: CHUNK_PRODUCTS,
  });
