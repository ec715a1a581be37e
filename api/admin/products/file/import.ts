import { z } from 'zod';
import { categoryIdsBySlug } from '../../../../db/catalog/product/administered-product-list.reads';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { COLUMNS, COUNT_COLUMN } from './columns';
import { importRow, type ImportedRow } from './import-row.command';
import { MOST_ROWS, rowsIn, type FileRow } from './parse';
import { rowRequest, type RowRequest } from './row-request';
import { actorOf } from '../../actor';

const MOST_BYTES = 5 * 1024 * 1024;

const Outcome = z.enum(['CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED']);

const ReportedRow = z
  .object({
    row: z.int().meta({ description: 'As spreadsheets count: the first product is in row 2.', example: 2 }),
    sku: z.string(),
    outcome: Outcome,
    productId: z.uuid().nullable().meta({ description: 'Null when the row was refused.' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .nullable()
      .meta({ description: 'Messages by column; `row` for the row as a whole.', example: null }),
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
    )}, as in an exported file; \`stockQuantity\` is not read, and stock is set only by a column \`${COUNT_COLUMN}\`, the units that may be ordered from now on. A row whose SKU belongs to a product changes that product; a column that the file does not have changes nothing, and an empty cell empties an optional field. Each row is independent: one that is refused stops no other. Importing the same file again changes nothing, except for units sold since they were last counted.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),
  idempotent: false,

  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 200,
  data: z
    .object({
      rows: z.array(ReportedRow),
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

  async handle(_, { caller, db, request }) {
    const rows = await rowsIn(request.file);
    const categories = await categoryIdsBySlug(
      db,
      rows.map(({ cells }) => cells.get('category') ?? ''),
    );
    const seen = new Map<string, number>();
    const report: z.output<typeof ReportedRow>[] = [];
    for (const row of rows) {
      const sku = row.cells.get('sku') ?? '';
      const parsed = repeatedSku(row, sku, seen) ?? rowRequest(row, categories);
      const imported = await importRow(db, parsed, sku, actorOf({ caller, request }));
      report.push({ row: row.number, sku, ...imported });
    }
    return { rows: report, summary: summaryOf(report) };
  },
});

/** Refuses the second row of one SKU: else importing the same file again would change the product each time. */
function repeatedSku({ number }: FileRow, sku: string, seen: Map<string, number>): RowRequest | null {
  const before = seen.get(sku);
  if (sku === '' || before === undefined) {
    seen.set(sku, number);
    return null;
  }
  return { request: {}, errors: { sku: [`is in row ${before} already`] } };
}

function summaryOf(report: readonly Pick<ImportedRow, 'outcome'>[]) {
  const countOf = (wanted: ImportedRow['outcome']) =>
    report.filter(({ outcome }) => outcome === wanted).length;
  return {
    total: report.length,
    created: countOf('CREATED'),
    updated: countOf('UPDATED'),
    unchanged: countOf('UNCHANGED'),
    refused: countOf('REFUSED'),
  };
}
