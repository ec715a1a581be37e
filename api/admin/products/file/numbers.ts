import type { Column } from './columns';
import type { FileRow } from './parse';

const SIMPLE = /^-?\d+(\.\d+)?$/;
const WITH_COMMA = /^-?\d+(,\d+)?$/;
/** Such as 1.250 or 1,250: a thousand and more where that sign groups digits, else a little more than one. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

type Separator = FileRow['separator'];

/**
 * A cell as a number; anything else stays text, which validation then refuses. Files that are not separated by commas
 * may have decimal commas.
 */
export function numberIn(cell: string, separator: Separator): unknown {
  const plain = separator !== ',' && WITH_COMMA.test(cell) ? cell.replace(',', '.') : cell;
  return SIMPLE.test(plain) ? Number(plain) : cell;
}

const NUMBERS = [
  ...(['price', 'compareAtPrice', 'stockCount', 'weight', 'length', 'width', 'height'] as const),
  ...(['commissionPercentage', 'careerPointsPercentage'] as const),
] satisfies Column[];

/** Messages for the numbers of a row whose point or comma may be the decimal sign or may group thousands. */
export function ambiguousNumbers({ cells, separator }: FileRow): Record<string, string[]> {
  if (separator === ',') return {};
  return Object.fromEntries(
    NUMBERS.flatMap((column) => {
      const cell = cells.get(column) ?? '';
      if (!AMBIGUOUS.test(cell)) return [];
      return [[column, [`is ambiguous: write ${cell.replace(/[.,]/, '')} or ${withDecimals(cell)}`]]];
    }),
  );
}

/** The same decimal number without three decimals: 1,25 for 1,250, and 1,1250 for 1,125. */
const withDecimals = (cell: string): string => (cell.endsWith('0') ? cell.slice(0, -1) : `${cell}0`);
