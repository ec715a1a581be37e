import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { SandboxTransfer } from './sandbox-transfer.model';

export type SandboxTransferRow = Omit<Attributes<SandboxTransfer>, 'endedAt'>;

const COLUMNS = [
  'key',
  'id',
  'amountMinor',
  'currency',
  'status',
  'copies',
  'losesAnswer',
  'createdAt',
] as const satisfies readonly (keyof SandboxTransferRow)[];

/** A transfer by its key; null when the sandbox does not know it. */
export const sandboxTransferBy = (db: Db, key: string): Promise<SandboxTransferRow | null> =>
  table(db, SandboxTransfer).one(COLUMNS, { key });

/** The newest transfers, newest first. */
export const newestSandboxTransfers = (db: Db, limit: number): Promise<SandboxTransferRow[]> =>
  table(db, SandboxTransfer).all(
    COLUMNS,
    {},
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit,
    },
  );
