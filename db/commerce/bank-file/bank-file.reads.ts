import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { BankFile } from './bank-file.model';
import { BankFileTransfer } from './bank-file-transfer.model';

/** A file with the number of its transfers that have arrived, that were refused, and that the bank has not ended. */
export type CountedBankFile = Omit<Attributes<BankFile>, 'content'> & {
  arrived: number;
  refused: number;
  underWay: number;
  /** False once its content is forgotten. */
  isKept: boolean;
};

const COUNTED = `f.id, f.transfer_count, f.amount_minor, f.currency, f.made_by, f.made_at, f.reported_at, n.arrived, n.refused,
  n.under_way, f.content IS NOT NULL AS is_kept`;
const COUNTS = `CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE t.status = 'ARRIVED')::int AS arrived,
    count(*) FILTER (WHERE t.status = 'REFUSED')::int AS refused,
    count(*) FILTER (WHERE t.status = 'IN_FILE')::int AS under_way
  FROM bank_file_transfers t WHERE t.file_id = f.id) AS n`;

/** One page of the files, newest first; `total` counts them all. */
export async function listBankFiles(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ total: number; files: CountedBankFile[] }> {
  const total = await table(db, BankFile).count({});
  const files = await rows<CountedBankFile>(
    db,
    `WITH f AS MATERIALIZED (SELECT * FROM bank_files ORDER BY made_at DESC, id DESC LIMIT $1 OFFSET $2)
     SELECT ${COUNTED} FROM f ${COUNTS} ORDER BY f.made_at DESC, f.id DESC`,
    [page.limit, page.offset],
  );
  return { total, files };
}

/** One file; null when there is none. */
export const bankFileBy = (db: Db, id: string): Promise<CountedBankFile | null> =>
  firstRow<CountedBankFile>(db, `SELECT ${COUNTED} FROM bank_files f ${COUNTS} WHERE f.id = $1`, [id]);

/** The sealed content of a file; null when there is no such file, or it is forgotten. */
export const sealedContentOf = async (db: Db, id: string): Promise<Buffer | null> =>
  (await table(db, BankFile).one(['content'], { id }))?.content ?? null;

/** A transfer as its provider knows it. */
export type KnownTransfer = Pick<
  Attributes<BankFileTransfer>,
  'id' | 'amountMinor' | 'currency' | 'status' | 'refusedBecause'
>;

/** A transfer by its key; null when there is none. */
export const bankFileTransferBy = (db: Db, key: string): Promise<KnownTransfer | null> =>
  table(db, BankFileTransfer).one(['id', 'amountMinor', 'currency', 'status', 'refusedBecause'], { key });

/** The number of transfers that are in no file yet. */
export const countCollected = (db: Db): Promise<number> =>
  table(db, BankFileTransfer).count({ status: 'COLLECTED' });

/** A transfer that is in no file yet. */
export type WaitingTransfer = Pick<
  Attributes<BankFileTransfer>,
  'id' | 'key' | 'amountMinor' | 'currency' | 'createdAt'
>;

const WAITING = ['id', 'key', 'amountMinor', 'currency', 'createdAt'] as const;

/** One page of the transfers that are in no file yet, oldest first; `total` counts them all. */
export async function listCollected(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ total: number; transfers: WaitingTransfer[] }> {
  const transfers = await table(db, BankFileTransfer).all(
    WAITING,
    { status: 'COLLECTED' },
    { order: [['id', 'ASC']], ...page },
  );
  return { total: await countCollected(db), transfers };
}

/** A transfer that is in no file yet, by its id; null when there is none. */
export const collectedTransferBy = (db: Db, id: string): Promise<WaitingTransfer | null> =>
  table(db, BankFileTransfer).one(WAITING, { id, status: 'COLLECTED' });
