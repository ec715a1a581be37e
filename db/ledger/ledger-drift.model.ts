import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A balance that reconciliation found to differ from the sum of its entries. */
@Table({ tableName: 'ledger_drifts', underscored: true, timestamps: false })
export class LedgerDrift extends Model<InferAttributes<LedgerDrift>, InferCreationAttributes<LedgerDrift>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare account: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** What the balance row said; 0 where there was none. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare balanceMinor: number;

  /** What the entries add up to. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare entriesMinor: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare foundAt: Date;
}
