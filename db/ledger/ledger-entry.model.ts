import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PlatformAccount, UserAccount } from './ledger.accounts';

/** One side of a transfer. The entries of a transfer sum to zero per currency, and are never altered. */
@Table({ tableName: 'ledger_entries', underscored: true, timestamps: false })
export class LedgerEntry extends Model<InferAttributes<LedgerEntry>, InferCreationAttributes<LedgerEntry>> {
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare transferId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare account: UserAccount | PlatformAccount;

  /** Null for the platform's own accounts. */
  @Column(DataType.UUID)
  declare userId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** Positive is a credit (we owe, or income), negative a debit. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  /** The payout or withdrawal that an amount in `payout_hold` is held for; null in other accounts. */
  @Column(DataType.UUID)
  declare holdId: string | null;
}
