import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Money that a provider reported as arrived, whether something waits for it or not. */
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

  /** Null for anything else. */
  @Column(DataType.UUID)
  declare orderId: string | null;

  /** Null for anything else. */
  @Column(DataType.UUID)
  declare participationId: CreationOptional<string | null>;

  /** The entrance fee of a partner; null for anything else. */
  @Column(DataType.UUID)
  declare entranceId: CreationOptional<string | null>;

  /** Money that a user pays into their wallet; null for anything else. */
  @Column(DataType.UUID)
  declare topUpId: CreationOptional<string | null>;

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

  /** True if this money paid what it is for; if not, it goes back. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare applied: boolean;

  @Column({ type: DataType.DATE, allowNull: false })
  declare capturedAt: Date;
}
