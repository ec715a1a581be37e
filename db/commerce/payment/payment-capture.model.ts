import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Money that a provider reported as arrived, whether an order waits for it or not. */
@Table({ tableName: 'payment_captures', underscored: true, timestamps: false })
export class PaymentCapture extends Model<
  InferAttributes<PaymentCapture>,
  InferCreationAttributes<PaymentCapture>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Null for a transfer without an attempt. */
  @Column(DataType.UUID)
  declare attemptId: string | null;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerPaymentId: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  /** The amount of it that has been promised back. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare refundedMinor: CreationOptional<number>;

  /** The amount of it that the buyer's bank has taken back. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare chargedBackMinor: CreationOptional<number>;

  /** The amount promised back that has reached the buyer by chargebacks instead. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare refundsChargedBackMinor: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** True if this money paid its order; if not, it goes back. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare applied: boolean;

  @Column({ type: DataType.DATE, allowNull: false })
  declare capturedAt: Date;
}
