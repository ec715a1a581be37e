import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type {
  PaymentRefundStatus,
  RefundReason,
} from '../../../workflows/commerce/refund/payment-refund.states';

/** Money that goes back to a buyer. */
@Table({ tableName: 'payment_refunds', underscored: true, timestamps: false })
export class PaymentRefund extends Model<
  InferAttributes<PaymentRefund>,
  InferCreationAttributes<PaymentRefund>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

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

  @Column({ type: DataType.UUID, allowNull: false })
  declare captureId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare reason: RefundReason;

  /** The request that it belongs to; null for money that goes back by itself. */
  @Column(DataType.UUID)
  declare refundRequestId: string | null;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: PaymentRefundStatus;

  @Column(DataType.TEXT)
  declare providerRefundId: string | null;

  /** The transfer by which a person sent it; null if a provider sent it. */
  @Column(DataType.TEXT)
  declare settlementReference: string | null;

  /** The note of the settlement. */
  @Column(DataType.UUID)
  declare settlementId: string | null;

  @Column(DataType.UUID)
  declare settledBy: string | null;

  /** The chargeback by which it reached the buyer; stays when that was returned and the money is owed again. */
  @Column(DataType.UUID)
  declare chargebackId: string | null;

  /** The refund of which this was a part until a chargeback covered one of the two. */
  @Column(DataType.UUID)
  declare splitFrom: string | null;

  /** When its provider was last asked to send it, or the refund it is a part of; null: certainly never. */
  @Column(DataType.DATE)
  declare askedAt: Date | null;

  /** The number of the attempt that sends it, from 1 on; its provider's key has it. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare sendings: CreationOptional<number>;

  /** The attempt that was last requested from its provider; null: none. */
  @Column(DataType.INTEGER)
  declare askedSendings: CreationOptional<number | null>;

  /** When its provider first said of the last attempt that it has it and sends it later; null: it never did. */
  @Column(DataType.DATE)
  declare pendingSince: CreationOptional<Date | null>;

  /** When its provider last said of an attempt that it has it, or refuses it; null: it never did. */
  @Column(DataType.DATE)
  declare answeredAt: CreationOptional<Date | null>;

  /** The provider's refund that it reported as sent and could not deliver; null: there was none. */
  @Column(DataType.TEXT)
  declare returnedReference: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare completedAt: Date | null;
}
