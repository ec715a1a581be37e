import type { CommissionFilter } from '../../../db/partners/commission-list/commission-filter.reads';
import {
  commissionsAfter,
  type ListedCommission,
} from '../../../db/partners/commission-list/commission-list.reads';
import type { Db } from '../../../db/sql/query';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { guarded } from '../../admin/products/file/cell';
import type { Context } from '../../http/handler-context';
import { FileGate } from '../../http/limits/file-gate';
import { pointsOf } from './commission.view';
import { csvFile } from '../../http/answer/files/csv-file';

/** Commissions per chunk: the most that are in memory at once. */
const CHUNK_COMMISSIONS = 2_000;

/** A file reads many rows and lasts as long as its caller reads it. */
const LIMITS = { slots: 2, queueLength: 8, deadlineMs: 10_000 };
export const ownFileGate = new FileGate(LIMITS);
/** Files of administrators do not wait for those of partners. */
export const adminFileGate = new FileGate(LIMITS);

type Cell = (row: ListedCommission) => string;

/** The cell of each column, in the order of the file. */
const CELLS = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  partnerId: ({ partnerId }) => partnerId,
  partnerName: ({ partnerName }) => guarded(partnerName),
  referralCode: ({ referralCode }) => guarded(referralCode),
  type: ({ type }) => String(type),
  sourceType: ({ sourceType }) => sourceType,
  sourceId: ({ sourceId }) => sourceId,
  level: ({ level }) => String(level),
  grossAmount: ({ grossMinor, currency }) => String(toMajor(grossMinor, currency)),
  netAmount: ({ netMinor, currency }) => String(toMajor(netMinor, currency)),
  careerPoints: ({ points }) => String(pointsOf(points)),
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  maturesAt: ({ maturesAt }) => maturesAt.toISOString(),
  processedAt: ({ processedAt }) => processedAt?.toISOString() ?? '',
  reversalOf: ({ reversalOf }) => reversalOf ?? '',
} as const satisfies Record<string, Cell>;

export const COMMISSION_COLUMNS = Object.keys(CELLS);

const cellsOf = (row: ListedCommission): string[] => Object.values(CELLS).map((cell: Cell) => cell(row));

/** The commissions that fit as CSV, newest first. */
export const commissionFile = (db: Db, filter: CommissionFilter): AsyncGenerator<string> =>
  csvFile<ListedCommission>({
    columns: COMMISSION_COLUMNS,
    cells: cellsOf,
    after: (last, limit) => commissionsAfter(db, filter, last, limit),
    chunk: CHUNK_COMMISSIONS,
  });

/** Chunks that are made while a slot of a gate is held, after `begin`. Rejects with `Busy`. */
export async function* gatedFile(
  gate: FileGate,
  { caller, request: { clientGone } }: Pick<Context<'user'>, 'caller' | 'request'>,
  begin: () => Promise<AsyncIterable<string>>,
): AsyncGenerator<string> {
  const leave = await gate.enter(caller.id, clientGone);
  try {
    yield* await begin();
  } finally {
    leave();
  }
}

/** The end of the description of a file. */
export const FILE_WORDS = `CSV in UTF-8 with a byte order mark. The columns are ${COMMISSION_COLUMNS.map((column) => `\`${column}\``).join(', ')}. A text that a spreadsheet could take for a formula has an apostrophe before it. The connection is cut after an hour.`;
