import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A file of transfers that was made for a bank. */
@Table({ tableName: 'bank_files', underscored: true, timestamps: false })
export class BankFile extends Model<InferAttributes<BankFile>, InferCreationAttributes<BankFile>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare transferCount: number;

  /** The sum of its transfers. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  /** The currency of all its transfers. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The file, sealed; null once it is forgotten. */
  @Column(DataType.BLOB)
  declare content: Buffer | null;

  @Column({ type: DataType.UUID, allowNull: false })
  declare madeBy: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare madeAt: Date;

  /** The time at which the last report of the bank was read. */
  @Column(DataType.DATE)
  declare reportedAt: Date | null;
}
