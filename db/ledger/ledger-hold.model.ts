import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The amount held of a person for one payout or withdrawal: the sum of its entries, maintained by the database itself. */
@Table({ tableName: 'ledger_holds', underscored: true, timestamps: false })
export class LedgerHold extends Model<InferAttributes<LedgerHold>, InferCreationAttributes<LedgerHold>> {
  /** The id of the payout or withdrawal. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare holdId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** 0 when all of it is released. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare balanceMinor: number;
}
