import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PlatformAccount, UserAccount } from '../ledger.accounts';

/** A balance that reconciliation found to differ from the sum of its entries. */
@Table({ tableName: 'ledger_drifts', underscored: true, timestamps: false })
export class LedgerDrift extends Model<InferAttributes<LedgerDrift>, InferCreationAttributes<LedgerDrift>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Null for an account of the platform, whose balance is that of its checkpoint. */
  @Column(DataType.UUID)
  declare userId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare account: UserAccount | PlatformAccount;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The balance as it was stored; 0 without a row. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare balanceMinor: number;

  /** The sum of the entries. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare entriesMinor: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare foundAt: Date;
}
