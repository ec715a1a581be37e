import { z } from 'zod';
import { categoryIdsBySlug } from '../../../../db/catalog/product/administered-product-list.reads';
import { productsNamed, type SkuOf } from '../../../../db/catalog/product/same-name.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../../workflows/commerce/money.rules';
import type { RefusalDetails } from '../../../../workflows/errors';
import { codeKey } from '../../../../workflows/typed-text.rules';
import { endpoint } from '../../../http/endpoint';
import { flag, formFlag } from '../../../http/request/fields';
import { perMinute } from '../../../http/limits/limits';
import { COLUMNS, COUNT_COLUMN } from './columns';
import { importRow, tryRow, type ImportedRow } from './import-row.command';
import { MOST_ROWS, rowsIn, type FileRow } from './parse';
import { rowRequest, type RowRequest } from './row-request';
import { actorOf } from '../../actor';

const MOST_BYTES = 5 * 1024 * 1024;

const Outcome = z.enum(['CREATED', 'UPDATED', 'REFUSED']);

const ReportedRow = z
  .object({
    row: z.int().meta({ description: 'As spreadsheets count: the first product is in row 2.', example: 2 }),
    sku: z.string(),
    outcome: Outcome.describe('What became of it.'),
    productId: z
      .uuid()
      .nullable()
      .meta({ description: 'Null when the row was refused, or would be created.' }),
    changes: z
      .record(
        z.string(),
        z.object({
          from: z.string().describe('The value before the import.'),
          to: z.string().describe('The value after the import.'),
        }),
      )
      .nullable()
      .meta({
        description: 'What changes in an UPDATED row, by column, as a file shows it; long texts are cut.',
        example: { price: { from: '24.5', to: '22' } },
      }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .nullable()
      .meta({ description: 'All messages by column; `row` for the row as a whole.', example: null }),
    hint: z.string().nullable().meta({
      description:
        'For a CREATED row whose name and price are those of another product: its SKU, since a spreadsheet may have shortened it. Null without such a product.',
      example: null,
    }),
  })
  .meta({ id: 'ImportedRow' });

/** A part of the request that has no other field: one that is dropped could be a dry run that was asked for. */
const onlyDryRun = (field: ReturnType<typeof flag>, description: string) =>
  z.strictObject({ dryRun: field.default(false).meta({ description }) });

const count = () => z.int().nonnegative();

export const importProducts = endpoint({
  id: 'importProducts',
  returns: 'The outcome of every row',
  method: 'post',
  path: '/admin/products/import',
  summary: 'Create and change products by a file',
  description: `CSV in UTF-8 in the field \`file\`, at most ${MOST_ROWS} rows, separated by commas, semicolons or tabs, with a line of columns first, in upper or lower case: \`sku\` and any of ${COLUMNS.slice(
    1,
  )
    .map((column) => `\`${column}\``)
    .join(
      ', ',
    )}, as in an exported file; \`stockQuantity\` is not read, and stock is set only by a column \`${COUNT_COLUMN}\`, the units that may be ordered from now on. A row whose SKU belongs to a product changes that product; a column that the file does not have changes nothing, and an empty cell empties an optional field. A new product whose name and price are those of another one has a \`hint\` in the answer, since spreadsheets shorten SKUs such as 0042. Each row is independent: one that is refused stops no other. Importing the same file again changes nothing, except for units sold since they were last counted. In a file with semicolons or tabs, numbers may have a decimal comma. With \`dryRun\`, as a query parameter or as a field of the form, the answer says what would happen, and nothing is changed. Other query parameters and fields are refused, so that no misspelled \`dryRun\` changes anything.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),
  idempotent: false,

  query: onlyDryRun(flag(), 'Only say what would happen, and change nothing.'),
  body: onlyDryRun(formFlag(), 'The same as the query parameter; true in either of them is enough.'),
  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 200,
  data: z
    .object({
      dryRun: z.boolean().meta({ description: 'True if nothing was changed.' }),
      rows: z.array(ReportedRow).meta({ description: 'Without those that change nothing.' }),
      summary: z
        .object({
          total: count().describe('The number of all rows.'),
          created: count().describe('How many were created.'),
          updated: count().describe('How many were changed.'),
          unchanged: count().describe('How many rows changed nothing.'),
          refused: count().describe('How many rows were refused.'),
        })
        .describe('How many rows had which outcome.'),
    })
    .meta({ id: 'ImportReport' }),
  errors: { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle({ query, body }, { caller, db, request }) {
    const dryRun = query.dryRun || body.dryRun;
    const rows = await rowsIn(request.file);
    const categories = await categoryIdsBySlug(
      db,
      rows.map(({ cells }) => cells.get('category') ?? ''),
    );
    const by = actorOf({ caller, request });
    const counts: Record<ImportedRow['outcome'], number> = {
      CREATED: 0,
      UPDATED: 0,
      UNCHANGED: 0,
      REFUSED: 0,
    };
    const skuOf = await productsNamed(
      db,
      rows.map(({ cells }) => (cells.get('name') ?? '').normalize()),
    );
    const seen = new Map<string, number>();
    const report: z.output<typeof ReportedRow>[] = [];
    for (const row of rows) {
      const sku = row.cells.get('sku') ?? '';
      const read = rowRequest(row, categories);
      const asked = { ...read, errors: { ...read.errors, ...repeatedSku(row, sku, seen) } };
      const imported = dryRun ? await tryRow(db, asked, sku, by) : await importRow(db, asked, sku, by);
      counts[imported.outcome]++;
      if (isListed(imported))
        report.push({
          ...reportOf(imported, { row: row.number, sku, dryRun }),
          hint: imported.outcome === 'CREATED' ? hintOf(read, skuOf) : null,
        });
    }
    return { dryRun, rows: report, summary: summaryOf(counts) };
  },
});

/** Refuses the second row of one SKU: else importing the same file again would change the product each time. */
function repeatedSku({ number }: FileRow, sku: string, seen: Map<string, number>): RefusalDetails {
  const key = codeKey(sku);
  const before = seen.get(key);
  if (before !== undefined) return { sku: [`is already in row ${before}`] };
  if (key !== '') seen.set(key, number);
  return {};
}

/** The result of a row that is not UNCHANGED. */
type ListedRow = ImportedRow & { outcome: z.output<typeof Outcome> };

const isListed = (row: ImportedRow): row is ListedRow => row.outcome !== 'UNCHANGED';

function reportOf(
  { outcome, productId, ...rest }: ListedRow,
  { row, sku, dryRun }: { row: number; sku: string; dryRun: boolean },
): Omit<z.output<typeof ReportedRow>, 'hint'> {
  // The id of a product that was not created after all names nothing.
  return { row, sku, outcome, productId: dryRun && outcome === 'CREATED' ? null : productId, ...rest };
}

/** The product that a new one may be: a SKU without the zeros that a spreadsheet removed belongs to no product. */
function hintOf({ request: { name, price } }: RowRequest, skuOf: SkuOf): string | null {
  if (typeof name !== 'string' || typeof price !== 'number') return null;
  const sku = skuOf(name, toMinor(price, PLATFORM_CURRENCY));
  return sku === null ? null : `has the name and the price of ${sku}: is it the same product?`;
}

const summaryOf = (counts: Readonly<Record<ImportedRow['outcome'], number>>) => ({
  total: Object.values(counts).reduce((sum, rows) => sum + rows, 0),
  created: counts.CREATED,
  updated: counts.UPDATED,
  unchanged: counts.UNCHANGED,
  refused: counts.REFUSED,
});
