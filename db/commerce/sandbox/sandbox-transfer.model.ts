import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A transfer that the sandbox provider was asked to send: the provider's own record. */
@Table({ tableName: 'sandbox_transfers', underscored: true, timestamps: false })
export class SandboxTransfer extends Model<
  InferAttributes<SandboxTransfer>,
  InferCreationAttributes<SandboxTransfer>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare key: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare id: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'UNDER_WAY' | 'ARRIVED' | 'REFUSED';

  /** 2: the bank has paid it twice. */
  @Column({ type: DataType.SMALLINT, allowNull: false, defaultValue: 1 })
  declare copies: CreationOptional<number>;

  /** The next answer about it is lost. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare losesAnswer: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  /** When it arrived or was refused; null while it is under way. */
  @Column(DataType.DATE)
  declare endedAt: Date | null;
}
