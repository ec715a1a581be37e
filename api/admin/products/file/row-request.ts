import { NO_SKU, REWRITTEN } from '../product.request';
import type { RefusalDetails } from '../../../../workflows/errors';
import { inNfc, unusableText } from '../../../http/validation/text';
import { COUNT_COLUMN, type Column } from './columns';
import { ambiguousNumbers, numberIn } from './numbers';
import type { FileRow } from './parse';

type Reader = (cell: string, separator: FileRow['separator']) => unknown;

/** Spreadsheets write TRUE, and WAHR in German. */
const BOOLEANS: ReadonlyMap<string, boolean | undefined> = new Map([
  ['true', true],
  ['wahr', true],
  ['false', false],
  ['falsch', false],
  ['', undefined],
]);

const text: Reader = (cell) => cell;
const boolean: Reader = (cell) =>
  BOOLEANS.has(cell.toLowerCase()) ? BOOLEANS.get(cell.toLowerCase()) : cell;
const numberOrNull: Reader = (cell, separator) => (cell === '' ? null : numberIn(cell, separator));

const json: Reader = (cell) => {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return undefined;
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
  price: numberIn,
  compareAtPrice: numberOrNull,
  status: text,
  trackInventory: boolean,
  weight: numberOrNull,
  attributes: (cell, separator) => (cell === '' ? {} : json(cell, separator)),
  tags: (cell) => (cell === '' ? [] : cell.split(',')),
  commissionPercentage: numberIn,
  careerPointsPercentage: numberIn,
};

/** A row as the body of the request that would do the same, not yet validated. */
export interface RowRequest {
  request: Readonly<Record<string, unknown>>;
  /** Errors of cells that cannot be read, by column; those of validation are to be added. */
  errors: RefusalDetails;
  /** The error of the row as a whole, which leaves the others without a meaning; null without one. */
  error: string | null;
}

/** Reads a row; `categories` are ids by slug. An empty cell empties an optional field. */
export function rowRequest(row: FileRow, categories: ReadonlyMap<string, string>): RowRequest {
  const { cells, separator, error } = row;
  const slug = cells.get('category');
  const sent: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(READERS).flatMap(([name, read]) => {
        const cell = cells.get(name as Column);
        return cell === undefined ? [] : [[name, read(cell, separator)]];
      }),
    ),
    ...stockIn(row),
    ...(slug !== undefined && { categoryId: slug === '' ? null : categories.get(slug) }),
    ...dimensionsIn(row),
  };
  // The file itself is text in UTF-8, but the JSON of a cell may spell NUL and half pairs as escapes.
  const unusable = unusableText(sent);
  const request = unusable ? sent : inNfc(sent);
  const errors = {
    ...ambiguousNumbers(row),
    ...byColumn(unusable ?? {}),
    ...(REWRITTEN.test(cells.get('sku') ?? '') && { sku: [NO_SKU] }),
    ...(slug !== undefined &&
      request['categoryId'] === undefined && { category: ['must be the slug of a category'] }),
    ...(cells.has('attributes') &&
      request['attributes'] === undefined && { attributes: ['must be JSON like {"material":"steel"}'] }),
  };
  return { request, errors, error };
}

const byColumn = (errors: RefusalDetails): RefusalDetails =>
  Object.fromEntries(Object.entries(errors).map(([path, messages]) => [columnOf(path.split('.')), messages]));

/** An empty cell leaves the stock as it is. */
function stockIn({ cells, separator }: FileRow): { stockQuantity?: unknown } {
  const cell = cells.get(COUNT_COLUMN) ?? '';
  return cell === '' ? {} : { stockQuantity: numberIn(cell, separator) };
}

function dimensionsIn({ cells, separator }: FileRow): { dimensions?: Record<string, unknown> | null } {
  const sides = SIDES.map((side) => [side, cells.get(side)] as const);
  if (sides.every(([, cell]) => cell === undefined)) return {};
  if (sides.every(([, cell]) => (cell ?? '') === '')) return { dimensions: null };
  const given = sides.flatMap(([side, cell = '']) =>
    cell === '' ? [] : [[side, numberIn(cell, separator)]],
  );
  return { dimensions: Object.fromEntries(given) as Record<string, unknown> };
}

/** The column of a field of the request, for error messages. */
export function columnOf(path: readonly PropertyKey[]): string {
  const [field, inner] = path.map(String);
  if (field === 'dimensions') return inner ?? 'length';
  if (field === 'stockQuantity') return COUNT_COLUMN;
  return field === 'categoryId' ? 'category' : (field ?? 'row');
}
