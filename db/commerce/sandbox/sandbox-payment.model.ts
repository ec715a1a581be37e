import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PaymentOutcome } from '../../../workflows/commerce/payment/payment-report.rules';

/** A payment that somebody made, or failed to make, on the sandbox provider's page: the provider's own record. */
@Table({ tableName: 'sandbox_payments', underscored: true, timestamps: false })
export class SandboxPayment extends Model<
  InferAttributes<SandboxPayment>,
  InferCreationAttributes<SandboxPayment>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Our payment attempt. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare paymentKey: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  /** The amount that the provider keeps of it. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare feeMinor: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: PaymentOutcome;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
