import type { Column } from './columns';
import type { FileRow } from './parse';

const SIMPLE = /^-?\d+(\.\d+)?$/;
const WITH_COMMA = /^-?\d+(,\d+)?$/;
/** Such as 1.250: more than a thousand where the decimal sign is a comma, else a little more than one. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;

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

/** Messages for the numbers of a row that mean one thing with a decimal point and another with a decimal comma. */
export function ambiguousNumbers({ cells, separator }: FileRow): Record<string, string[]> {
  if (separator === ',') return {};
  return Object.fromEntries(
    NUMBERS.flatMap((column) => {
      const cell = cells.get(column) ?? '';
      if (!AMBIGUOUS.test(cell)) return [];
      const [thousands, decimals] = [cell.replace('.', ''), cell.replace('.', ',')];
      return [[column, [`is ambiguous: write ${thousands}, or ${decimals} with a decimal comma`]]];
    }),
  );
}
