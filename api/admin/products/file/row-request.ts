import type { RefusalDetails } from '../../../../workflows/errors';
import { unusableText } from '../../../http/body/text';
import { COUNT_COLUMN, type Column } from './columns';
import type { FileRow } from './parse';

type Reader = (cell: string) => unknown;

const BOOLEANS: ReadonlyMap<string, boolean | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['', undefined],
]);

const text: Reader = (cell) => cell;
/** Anything but a number stays text, which validation then refuses. */
const number: Reader = (cell) => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell);
/** Spreadsheets write TRUE. */
const boolean: Reader = (cell) =>
  BOOLEANS.has(cell.toLowerCase()) ? BOOLEANS.get(cell.toLowerCase()) : cell;
const orNull =
  (read: Reader): Reader =>
  (cell) =>
    cell === '' ? null : read(cell);

const json: Reader = (cell) => {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
};

const SIDES = ['length', 'width', 'height'] as const;

/** Exported columns that an import ignores. */
type ReadOnly = 'stockQuantity';

/** The reader of each column that is a field of the request by itself. */
const READERS: Readonly<
  Record<Exclude<Column, ReadOnly | typeof COUNT_COLUMN | 'category' | (typeof SIDES)[number]>, Reader>
> = {
  sku: text,
  name: text,
  description: text,
  shortDescription: text,
  price: number,
  compareAtPrice: orNull(number),
  status: text,
  trackInventory: boolean,
  weight: orNull(number),
  attributes: (cell) => (cell === '' ? {} : json(cell)),
  tags: (cell) => (cell === '' ? [] : cell.split(',')),
  commissionPercentage: number,
  careerPointsPercentage: number,
};

/** A row as the body of the request that would do the same, not yet validated. */
export interface RowRequest {
  request: Readonly<Record<string, unknown>>;
  /** Errors that make the row refused without validating the request, by column; null without any. */
  errors: RefusalDetails | null;
}

/** Reads a row; `categories` are ids by slug. An empty cell empties an optional field. */
export function rowRequest({ cells, error }: FileRow, categories: ReadonlyMap<string, string>): RowRequest {
  const slug = cells.get('category');
  const request = {
    ...Object.fromEntries(
      Object.entries(READERS).flatMap(([name, read]) => {
        const cell = cells.get(name as Column);
        return cell === undefined ? [] : [[name, read(cell)]];
      }),
    ),
    ...stockIn(cells),
    ...(slug !== undefined && { categoryId: slug === '' ? null : categories.get(slug) }),
    ...dimensionsIn(cells),
  };
  if (error !== null) return { request, errors: { row: [error] } };
  // The file itself is text in UTF-8, but the JSON of a cell may spell NUL and half pairs as escapes.
  const unusable = unusableText(request);
  if (unusable) return { request, errors: byColumn(unusable) };
  if (slug !== undefined && slug !== '' && !categories.has(slug))
    return { request, errors: { category: ['is the slug of no category'] } };
  return { request, errors: null };
}

const byColumn = (errors: RefusalDetails): RefusalDetails =>
  Object.fromEntries(Object.entries(errors).map(([path, messages]) => [columnOf(path.split('.')), messages]));

/** An empty cell leaves the stock as it is. */
function stockIn(cells: FileRow['cells']): { stockQuantity?: unknown } {
  const cell = cells.get(COUNT_COLUMN) ?? '';
  return cell === '' ? {} : { stockQuantity: number(cell) };
}

function dimensionsIn(cells: FileRow['cells']): { dimensions?: Record<string, unknown> | null } {
  const sides = SIDES.map((side) => [side, cells.get(side)] as const);
  if (sides.every(([, cell]) => cell === undefined)) return {};
  if (sides.every(([, cell]) => (cell ?? '') === '')) return { dimensions: null };
  return { dimensions: Object.fromEntries(sides.map(([side, cell]) => [side, number(cell ?? '')])) };
}

/** The column of a field of the request, for error messages. */
export function columnOf(path: readonly PropertyKey[]): string {
  const [field, inner] = path.map(String);
  if (field === 'dimensions') return inner ?? 'length';
  if (field === 'stockQuantity') return COUNT_COLUMN;
  return field === 'categoryId' ? 'category' : (field ?? 'row');
}
