import type { PoolShareFigures } from '../../../db/partners/pool/pool-share.reads';
import type { PoolRunFigures } from '../../../db/partners/pool/pool.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { guarded } from '../products/file/cell';

type Cell = (run: PoolRunFigures, share: PoolShareFigures) => string;

const money =
  (of: (run: PoolRunFigures, share: PoolShareFigures) => number): Cell =>
  (run, share) =>
    String(toMajor(of(run, share), run.currency));

/** The cell of each column, in the order of the file. */
const CELLS = {
  partnerId: (_, { partnerId }) => partnerId,
  number: (_, { number }) => String(number),
  referralCode: (_, { referralCode }) => guarded(referralCode),
  name: (_, { name }) => guarded(name),
  rank: (_, { rankCode }) => rankCode,
  weight: (_, { weight }) => String(weight),
  legs: (_, { legs }) => String(legs),
  volume: money((_, { volumeMinor }) => volumeMinor),
  largestLeg: money((_, { largestLegMinor }) => largestLegMinor),
  qualifiedVolume: money((_, { qualifiedMinor }) => qualifiedMinor),
  takesPart: (_, { takesPart }) => String(takesPart),
  numerator: (_, { numerator }) => numerator,
  denominator: ({ denominator }) => denominator,
  pool: money(({ poolMinor }) => poolMinor),
  amount: money((_, { amountMinor }) => amountMinor),
  currency: ({ currency }) => currency,
  commissionId: (_, { commissionId }) => commissionId ?? '',
  paidAt: (_, { paidAt }) => paidAt?.toISOString() ?? '',
} as const satisfies Record<string, Cell>;

export const POOL_COLUMNS: readonly string[] = Object.keys(CELLS);

/** A share as a row of the file. */
export const poolCells = (run: PoolRunFigures, share: PoolShareFigures): string[] =>
  Object.values(CELLS).map((cell: Cell) => cell(run, share));
