import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { BankFile } from './bank-file.model';

export type NewBankFile = Omit<Attributes<BankFile>, 'reportedAt'>;

/** Records a file, whole. */
export const insertBankFile = (tx: Tx, file: NewBankFile): Promise<void> =>
  table(tx, BankFile).insert({ ...file, reportedAt: null });

export type LockedBankFile = Pick<Attributes<BankFile>, 'id' | 'transferCount' | 'amountMinor' | 'currency'>;

/** Locks a file against another report; null when there is none. */
export const lockBankFile = (tx: Tx, id: string): Promise<LockedBankFile | null> =>
  table(tx, BankFile).one(['id', 'transferCount', 'amountMinor', 'currency'], { id }, { lock: 'UPDATE' });

/** Records that a report on a file was read. */
export const markReported = (tx: Tx, id: string, at: Date): Promise<number> =>
  execute(tx, 'UPDATE bank_files SET reported_at = $2 WHERE id = $1', [id, at]);
