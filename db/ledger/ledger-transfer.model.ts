import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One movement of money, named by the business event behind it, so that the event cannot move money twice. */
@Table({ tableName: 'ledger_transfers', underscored: true, timestamps: false })
export class LedgerTransfer extends Model<
  InferAttributes<LedgerTransfer>,
  InferCreationAttributes<LedgerTransfer>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Names the business event, such as `order:<id>:payment`. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  /** True if the transfer may take `partner_available` below zero. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare clawback: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
