import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A refund that the sandbox provider made: the provider's own record. */
@Table({ tableName: 'sandbox_refunds', underscored: true, timestamps: false })
export class SandboxRefund extends Model<
  InferAttributes<SandboxRefund>,
  InferCreationAttributes<SandboxRefund>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare key: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentId: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
