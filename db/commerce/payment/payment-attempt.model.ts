import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import type { PaymentAttemptStatus } from '../../../workflows/commerce/payment/payment.states';

/** One try to pay for something. */
@Table({ tableName: 'payment_attempts', underscored: true, timestamps: false })
export class PaymentAttempt extends Model<
  InferAttributes<PaymentAttempt>,
  InferCreationAttributes<PaymentAttempt>
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

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare sequence: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare method: PaymentMethod;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: PaymentAttemptStatus;

  /** The provider's own name of the payment, if it has one. */
  @Column(DataType.TEXT)
  declare providerReference: string | null;

  /** The page to pay on; null until a provider has opened one, and for other means. */
  @Column(DataType.TEXT)
  declare paymentUrl: string | null;

  /** The account to transfer to, as the buyer was shown it; null for other means. */
  @Column(DataType.JSONB)
  declare bankDetails: PaymentOffer['bankDetails'];

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
