import type { RefusalDetails } from '../../../../workflows/errors';
import { isUsable } from '../../../http/body/text';
import { COUNT_COLUMN, type Column } from './columns';
import type { FileRow } from './parse';

type Reader = (cell: string) => unknown;

const WORDS: ReadonlyMap<string, boolean | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['', undefined],
]);

const text: Reader = (cell) => cell;
/** What is no number stays what it is, and is refused for it. */
const number: Reader = (cell) => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell);
/** Spreadsheets write TRUE. */
const yesOrNo: Reader = (cell) => (WORDS.has(cell.toLowerCase()) ? WORDS.get(cell.toLowerCase()) : cell);
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

/** Columns that say nothing: what an export tells of stock is not taken back. */
type ReadOnly = 'stockQuantity';

/** How cells become what the same fields are in a request; those that are not here are read together. */
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
  trackInventory: yesOrNo,
  weight: orNull(number),
  attributes: (cell) => (cell === '' ? {} : json(cell)),
  tags: (cell) => (cell === '' ? [] : cell.split(',')),
  commissionPercentage: number,
  careerPointsPercentage: number,
};

/** A row as the request that says the same, and what is wrong with it before anyone has looked at its fields. */
export interface SentRow {
  sent: Readonly<Record<string, unknown>>;
  wrong: RefusalDetails | null;
}

/** Reads a row; `categories` are ids by slug. An empty cell takes away what a product need not have. */
export function sentIn({ cells, wrong }: FileRow, categories: ReadonlyMap<string, string>): SentRow {
  const slug = cells.get('category');
  const unusable = [...cells].find(([, cell]) => !isUsable(cell));
  const sent = {
    ...Object.fromEntries(
      Object.entries(READERS).flatMap(([name, read]) => {
        const cell = cells.get(name as Column);
        return cell === undefined ? [] : [[name, read(cell)]];
      }),
    ),
    ...countIn(cells),
    ...(slug !== undefined && { categoryId: slug === '' ? null : categories.get(slug) }),
    ...dimensionsIn(cells),
  };
  if (wrong !== null) return { sent, wrong: { row: [wrong] } };
  if (unusable) return { sent, wrong: { [unusable[0]]: ['must not hold broken characters'] } };
  if (slug !== undefined && slug !== '' && !categories.has(slug))
    return { sent, wrong: { category: ['is the slug of no category'] } };
  return { sent, wrong: null };
}

/** An empty cell counts nothing. */
function countIn(cells: FileRow['cells']): { stockQuantity?: unknown } {
  const cell = cells.get(COUNT_COLUMN) ?? '';
  return cell === '' ? {} : { stockQuantity: number(cell) };
}

function dimensionsIn(cells: FileRow['cells']): { dimensions?: Record<string, unknown> | null } {
  const sides = SIDES.map((side) => [side, cells.get(side)] as const);
  if (sides.every(([, cell]) => cell === undefined)) return {};
  if (sides.every(([, cell]) => (cell ?? '') === '')) return { dimensions: null };
  return { dimensions: Object.fromEntries(sides.map(([side, cell]) => [side, number(cell ?? '')])) };
}

/** A field of the request as the file calls it. */
export function columnOf(path: readonly PropertyKey[]): string {
  const [field, inner] = path.map(String);
  if (field === 'dimensions') return inner ?? 'length';
  if (field === 'stockQuantity') return COUNT_COLUMN;
  return field === 'categoryId' ? 'category' : (field ?? 'row');
}
