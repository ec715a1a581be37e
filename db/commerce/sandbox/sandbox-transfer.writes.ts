import type { Attributes } from 'sequelize';
import { execute, type Db } from '../../sql/query';
import type { SandboxTransfer } from './sandbox-transfer.model';

/** A transfer as the sandbox is asked to send it. */
export type NewSandboxTransfer = Pick<
  Attributes<SandboxTransfer>,
  'key' | 'id' | 'amountMinor' | 'currency' | 'status'
>;

/** Records a transfer; false when there is one under its key. */
export async function insertSandboxTransfer(
  db: Db,
  { key, id, amountMinor, currency, status }: NewSandboxTransfer,
): Promise<boolean> {
  const inserted = await execute(
    db,
    `INSERT INTO sandbox_transfers (key, id, amount_minor, currency, status, created_at, ended_at)
     VALUES ($1, $2, $3, $4, $5::text, now(), CASE WHEN $5::text <> 'UNDER_WAY' THEN now() END)
     ON CONFLICT (key) DO NOTHING`,
    [key, id, amountMinor, currency, status],
  );
  return inserted === 1;
}

/** The end of a transfer that is under way; `copies`: 2 when the bank has paid it twice. */
export interface SandboxTransferEnd {
  status: 'ARRIVED' | 'REFUSED';
  copies: 1 | 2;
}

/** Ends a transfer that is under way; false when it has ended, or there is none. */
export const endSandboxTransfer = async (
  db: Db,
  key: string,
  { status, copies }: SandboxTransferEnd,
): Promise<boolean> =>
  (await execute(
    db,
    `UPDATE sandbox_transfers SET status = $2, copies = $3, ended_at = now() WHERE key = $1 AND status = 'UNDER_WAY'`,
    [key, status, copies],
  )) === 1;

/** Makes the next answer about a transfer be lost; false when there is none. */
export const loseSandboxAnswer = async (db: Db, key: string): Promise<boolean> =>
  (await execute(db, 'UPDATE sandbox_transfers SET loses_answer = true WHERE key = $1', [key])) === 1;

/** True if this answer about a transfer is lost; the one after it is not. */
export const takeLostAnswer = async (db: Db, key: string): Promise<boolean> =>
  (await execute(db, 'UPDATE sandbox_transfers SET loses_answer = false WHERE key = $1 AND loses_answer', [
    key,
  ])) === 1;
