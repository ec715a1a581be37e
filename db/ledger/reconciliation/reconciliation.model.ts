import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One comparison of balances with entries, and how far into the ledger it saw. */
@Table({ tableName: 'ledger_reconciliations', underscored: true, timestamps: false })
export class LedgerReconciliation extends Model<
  InferAttributes<LedgerReconciliation>,
  InferCreationAttributes<LedgerReconciliation>
> {
  @Column({ type: DataType.DATE, primaryKey: true })
  declare comparedAt: Date;

  /** True if it compared the whole ledger, and not only what was new. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare whole: boolean;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare drifts: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare unbalancedTransfers: number;

  /** The highest entry that it saw; a lower one may still have been uncommitted. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare lastEntryId: number;

  /** The number of its transaction: those that had begun when it looked have lower ones. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare transactionId: number;

  /** Every entry up to this one was committed and seen; the next comparison begins behind it. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare settledEntryId: number;
}
