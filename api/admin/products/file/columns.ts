import type { ExportedProduct } from '../../../../db/catalog/product/administered-product-list.reads';
import { toMajor } from '../../../../workflows/commerce/money.rules';
import { guarded } from './cell';

const whole = (value: number | null, unit = 1): string => (value === null ? '' : String(value / unit));

/** The columns of a file of products, in their order, and their cells; empty for a field without a value. */
const CELLS = {
  sku: ({ sku }) => sku,
  name: ({ name }) => name,
  description: ({ description }) => description,
  shortDescription: ({ shortDescription }) => shortDescription ?? '',
  price: ({ priceMinor, currency }) => String(toMajor(priceMinor, currency)),
  compareAtPrice: ({ compareAtPriceMinor, currency }) =>
    compareAtPriceMinor === null ? '' : String(toMajor(compareAtPriceMinor, currency)),
  category: ({ category }) => category ?? '',
  status: ({ status }) => status,
  stockQuantity: ({ stockQuantity }) => whole(stockQuantity),
  trackInventory: ({ trackInventory }) => String(trackInventory),
  weight: ({ weightGrams }) => whole(weightGrams, 1000),
  length: ({ lengthMm }) => whole(lengthMm, 10),
  width: ({ widthMm }) => whole(widthMm, 10),
  height: ({ heightMm }) => whole(heightMm, 10),
  attributes: ({ attributes }) => (Object.keys(attributes).length === 0 ? '' : JSON.stringify(attributes)),
  tags: ({ tags }) => tags.join(','),
  commissionPercentage: ({ commissionBp }) => whole(commissionBp, 100),
  careerPointsPercentage: ({ careerPointsBp }) => whole(careerPointsBp, 100),
} as const satisfies Record<string, (product: ExportedProduct) => string>;

type ExportedColumn = keyof typeof CELLS;

/** Sets stock, in imported files only: exported stock may be sold by the time the file is imported. */
export const COUNT_COLUMN = 'stockCount';

export type Column = ExportedColumn | typeof COUNT_COLUMN;

export const COLUMNS = Object.keys(CELLS) as ExportedColumn[];

export const isColumn = (name: string): name is Column => Object.hasOwn(CELLS, name) || name === COUNT_COLUMN;

/** A change of a product as a file shows it: texts from and to, by column. */
export type ChangedCells = Record<string, { from: string; to: string }>;

/** Long texts are cut, so that the report of a large file stays small. */
const MOST_SHOWN = 100;
const shown = (cell: string): string => (cell.length > MOST_SHOWN ? `${cell.slice(0, MOST_SHOWN)}…` : cell);

/** The cells in which two states of a product differ. */
export function changedCells(before: ExportedProduct, after: ExportedProduct): ChangedCells {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, CELLS[column](before), CELLS[column](after)] as const)
      .filter(([, from, to]) => from !== to)
      .map(([column, from, to]) => [
        column === 'stockQuantity' ? COUNT_COLUMN : column,
        { from: shown(from), to: shown(to) },
      ]),
  );
}

/** A product as a row of the file. */
export const rowOf = (product: ExportedProduct): string[] =>
  COLUMNS.map((column) => guarded(CELLS[column](product)));
