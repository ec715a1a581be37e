import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PlatformAccount } from '../ledger.accounts';

/** The balance of an account of the platform up to an entry, below which no other can appear. */
@Table({ tableName: 'ledger_checkpoints', underscored: true, timestamps: false })
export class LedgerCheckpoint extends Model<
  InferAttributes<LedgerCheckpoint>,
  InferCreationAttributes<LedgerCheckpoint>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare account: PlatformAccount;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare currency: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare entryId: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare balanceMinor: number;
}
