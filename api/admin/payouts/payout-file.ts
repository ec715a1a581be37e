import {
  payoutsAfter,
  type AdministeredPayout,
  type PayoutFilter,
} from '../../../db/commerce/payout/administered-payout.reads';
import type { Db } from '../../../db/sql/query';
import { guarded } from '../products/file/cell';
import { amountOf } from './payout.view';
import { csvFile } from '../../http/answer/files/csv-file';

/** Payouts per chunk: the most that are in memory at once. */
const CHUNK_PAYOUTS = 2_000;

type Cell = (payout: AdministeredPayout) => string;

const moment =
  (at: (payout: AdministeredPayout) => Date | null): Cell =>
  (payout) =>
    at(payout)?.toISOString() ?? '';
const words =
  (of: (payout: AdministeredPayout) => string | null): Cell =>
  (payout) =>
    guarded(of(payout) ?? '');

/** The cell of each column, in the order of the file. Texts that people wrote are guarded against formulas. */
const CELLS = {
  id: ({ id }) => id,
  createdAt: moment(({ createdAt }) => createdAt),
  partnerId: ({ partnerId }) => partnerId ?? '',
  referralCode: words(({ referralCode }) => referralCode),
  userId: ({ userId }) => userId,
  email: words(({ email }) => email),
  name: words(({ firstName, lastName }) => `${firstName} ${lastName}`),
  amount: amountOf,
  currency: ({ currency }) => currency,
  method: ({ method }) => method,
  maskedDetails: words(({ maskedDetails }) => maskedDetails),
  status: ({ status }) => status,
  provider: ({ provider }) => provider ?? '',
  externalReference: words(
    ({ transferReference, externalReference }) => transferReference ?? externalReference,
  ),
  lastRefusal: words(({ lastRefusal }) => lastRefusal),
  rejectionReason: words(({ rejectionReason }) => rejectionReason),
  fundsReturned: ({ fundsReturned }) => (fundsReturned === null ? '' : String(fundsReturned)),
  approvedBy: ({ approvedBy }) => approvedBy ?? '',
  approvedAt: moment(({ approvedAt }) => approvedAt),
  processedBy: ({ processedBy }) => processedBy ?? '',
  processedAt: moment(({ processedAt }) => processedAt),
  endedAt: moment(({ endedAt }) => endedAt),
} as const satisfies Record<string, Cell>;

export const PAYOUT_COLUMNS = Object.keys(CELLS);

const cellsOf = (payout: AdministeredPayout): string[] =>
  Object.values(CELLS).map((cell: Cell) => cell(payout));

/** The payouts that fit as CSV, newest first. */
export const payoutFile = (db: Db, filter: PayoutFilter): AsyncGenerator<string> =>
  csvFile<AdministeredPayout>({
    columns: PAYOUT_COLUMNS,
    cells: cellsOf,
    after: (last, limit) => payoutsAfter(db, filter, last, limit),
    chunk: CHUNK_PAYOUTS,
  });
