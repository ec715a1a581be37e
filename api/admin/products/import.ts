import { z } from 'zod';
import { categoryIdsBySlug } from '../../../db/catalog/product/product-administration.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { bringIn, type Brought } from './file/bring-in';
import { COLUMNS, COUNT_COLUMN } from './file/columns';
import { MOST_ROWS, rowsIn, type FileRow } from './file/parse';
import { sentIn } from './file/sent';
import { actor } from './product.view';

const MOST_BYTES = 5 * 1024 * 1024;

const Outcome = z.enum(['CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED']);

const ImportedRow = z
  .object({
    row: z.int().meta({ description: 'As spreadsheets count: the first product is in row 2.', example: 2 }),
    sku: z.string(),
    outcome: Outcome,
    productId: z.uuid().nullable().meta({ description: 'Null when the row was refused.' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .nullable()
      .meta({ description: 'What is wrong, by column; `row` for the row as a whole.', example: null }),
  })
  .meta({ id: 'ImportedRow' });

const count = () => z.int().nonnegative();

export const importProducts = endpoint({
  method: 'post',
  path: '/admin/products/import',
  summary: 'Create and change products by a file',
  description: `CSV in UTF-8 in the field \`file\`, at most ${MOST_ROWS} rows, with a line of columns first: \`sku\` and any of ${COLUMNS.slice(
    1,
  )
    .map((column) => `\`${column}\``)
    .join(
      ', ',
    )}, as in an exported file; \`stockQuantity\` is not read, and stock is set only by a column \`${COUNT_COLUMN}\`, the pieces that may be ordered from now on. A row whose SKU a product has changes that product; a column that the file has not leaves what it is of, and an empty cell takes away what a product need not have. Each row stands for itself: one that is refused stops no other. The same file again changes nothing, but for pieces sold since it was last counted.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),
  idempotent: false,

  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 200,
  data: z
    .object({
      rows: z.array(ImportedRow),
      summary: z.object({
        total: count(),
        created: count(),
        updated: count(),
        unchanged: count(),
        refused: count(),
      }),
    })
    .meta({ id: 'ImportReport' }),
  errors: { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle(_asked, { caller, db, request }) {
    const rows = await rowsIn(request.file);
    const categories = await categoryIdsBySlug(
      db,
      rows.map(({ cells }) => cells.get('category') ?? ''),
    );
    const seen = new Map<string, number>();
    const report: z.output<typeof ImportedRow>[] = [];
    for (const row of rows) {
      const sku = row.cells.get('sku') ?? '';
      const sent = unlessAgain(row, sku, seen) ?? sentIn(row, categories);
      const brought = await bringIn(db, sent, sku, actor({ caller, request }));
      report.push({ row: row.number, sku, ...brought });
    }
    return { rows: report, summary: summaryOf(report) };
  },
});

/** Of two rows for one product the first counts, or else the same file would never come to rest. */
function unlessAgain({ number }: FileRow, sku: string, seen: Map<string, number>) {
  const before = seen.get(sku);
  if (sku === '' || before === undefined) {
    seen.set(sku, number);
    return null;
  }
  return { sent: {}, wrong: { sku: [`stands in row ${before} already`] } };
}

function summaryOf(report: readonly Pick<Brought, 'outcome'>[]) {
  const so = (wanted: Brought['outcome']) => report.filter(({ outcome }) => outcome === wanted).length;
  return {
    total: report.length,
    created: so('CREATED'),
    updated: so('UPDATED'),
    unchanged: so('UNCHANGED'),
    refused: so('REFUSED'),
  };
}
