import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A transfer that a bank gets in a file, once. */
@Table({ tableName: 'bank_file_transfers', underscored: true, timestamps: false })
export class BankFileTransfer extends Model<
  InferAttributes<BankFileTransfer>,
  InferCreationAttributes<BankFileTransfer>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** The key with which it was requested: sent again with the same key, it is the same transfer. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare key: string;

  /** The id of the payout or the withdrawal that it is of; the database derives it from the key. */
  @Column(DataType.UUID)
  declare subjectId: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** Sealed; null once it is forgotten. */
  @Column(DataType.BLOB)
  declare destination: Buffer | null;

  /** COLLECTED: in no file yet. IN_FILE: the bank may carry it out at any time. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'COLLECTED' | 'IN_FILE' | 'ARRIVED' | 'REFUSED';

  @Column(DataType.UUID)
  declare fileId: string | null;

  @Column(DataType.TEXT)
  declare refusedBecause: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare endedAt: Date | null;
}
