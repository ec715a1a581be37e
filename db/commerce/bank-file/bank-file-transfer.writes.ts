import type { Attributes } from 'sequelize';
import { execute, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { BankFileTransfer } from './bank-file-transfer.model';

type Row = Attributes<BankFileTransfer>;

/** Collects a transfer for the next file; false when there is one under its key. */
export async function collectTransfer(
  db: Db,
  {
    id,
    key,
    amountMinor,
    currency,
    destination,
  }: Pick<Row, 'id' | 'key' | 'amountMinor' | 'currency' | 'destination'>,
): Promise<boolean> {
  const inserted = await execute(
    db,
    `INSERT INTO bank_file_transfers (id, key, amount_minor, currency, destination, status, created_at)
     VALUES ($1, $2, $3, $4, $5, 'COLLECTED', now()) ON CONFLICT (key) DO NOTHING`,
    [id, key, amountMinor, currency, destination],
  );
  return inserted === 1;
}

/** Locks a transfer by its key; null when there is none. */
export const lockTransfer = (tx: Tx, key: string): Promise<Pick<Row, 'id' | 'status'> | null> =>
  table(tx, BankFileTransfer).one(['id', 'status'], { key }, { lock: 'UPDATE' });

/** A collected transfer with its sealed destination. */
export type CollectedTransfer = Pick<Row, 'id' | 'amountMinor'> & { destination: Buffer };

/** The currencies of collected transfers, that of the oldest first. */
export const collectedCurrencies = async (db: Db): Promise<string[]> =>
  (
    await rows<{ currency: string }>(
      db,
      `SELECT currency FROM (
         SELECT DISTINCT ON (currency) currency, id FROM bank_file_transfers WHERE status = 'COLLECTED'
         ORDER BY currency, id) AS oldest
       ORDER BY id`,
    )
  ).map(({ currency }) => currency);

/**
 * Locks the oldest collected transfers of a currency, of those after `after` if it is given. Those that another file takes
 * meanwhile are left out.
 */
export const lockCollected = (
  tx: Tx,
  currency: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<CollectedTransfer[]> =>
  rows<CollectedTransfer>(
    tx,
    `SELECT id, amount_minor, destination FROM bank_file_transfers
     WHERE status = 'COLLECTED' AND currency = $1 AND ($2::uuid IS NULL OR id > $2)
     ORDER BY id LIMIT $3 FOR UPDATE`,
    [currency, after, limit],
  );

/** Puts collected transfers into a file; returns their number. */
export const putIntoFile = (tx: Tx, fileId: string, ids: readonly string[]): Promise<number> =>
  execute(
    tx,
    `UPDATE bank_file_transfers SET status = 'IN_FILE', file_id = $1 WHERE id = ANY ($2::uuid[]) AND status = 'COLLECTED'`,
    [fileId, ids],
  );

export type TransferInFile = Pick<Row, 'id' | 'amountMinor' | 'status'>;

/** Locks the transfers of a file, in the order of the file. */
export const lockTransfersOf = (tx: Tx, fileId: string): Promise<TransferInFile[]> =>
  rows<TransferInFile>(
    tx,
    'SELECT id, amount_minor, status FROM bank_file_transfers WHERE file_id = $1 ORDER BY id FOR UPDATE',
    [fileId],
  );

/** The end of a transfer; `refusedBecause` only of a refused one. */
export interface BankFileTransferEnd {
  id: string;
  status: 'ARRIVED' | 'REFUSED';
  refusedBecause: string | null;
}

/** Ends transfers that are in a file; returns their number. */
export const endTransfers = (tx: Tx, ends: readonly BankFileTransferEnd[], at: Date): Promise<number> =>
  execute(
    tx,
    `UPDATE bank_file_transfers t SET status = e.status, refused_because = e.refused_because, ended_at = $4
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS e (id, status, refused_because)
     WHERE t.id = e.id AND t.status = 'IN_FILE'`,
    [
      ends.map(({ id }) => id),
      ends.map(({ status }) => status),
      ends.map(({ refusedBecause }) => refusedBecause),
      at,
    ],
  );

/**
 * Refuses a transfer that is in no file yet, and forgets where it was to go, since nothing was sent; false when it is in one, has
 * ended, or there is none. `reason` is without data of the person: processes and mails repeat it.
 */
export const refuseCollected = async (tx: Tx, id: string, reason: string, at: Date): Promise<boolean> =>
  (await execute(
    tx,
    `UPDATE bank_file_transfers SET status = 'REFUSED', refused_because = $2, ended_at = $3, destination = NULL
     WHERE id = $1 AND status = 'COLLECTED'`,
    [id, reason, at],
  )) === 1;
