import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { ReferenceKind } from '../../workflows/ledger/reference.rules';

/** One movement of money, named by the business event behind it, so that the event cannot move money twice. */
@Table({ tableName: 'ledger_transfers', underscored: true, timestamps: false })
export class LedgerTransfer extends Model<
  InferAttributes<LedgerTransfer>,
  InferCreationAttributes<LedgerTransfer>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** The kind of the business event; the next two columns say which one it is. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: ReferenceKind;

  /** The id of the event's subject. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare subjectId: string;

  /** Empty where a subject has one event of the kind. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare part: CreationOptional<string>;

  /** True if the transfer may take `partner_available` below zero. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare clawback: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
