import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { OrderPaymentStatus, OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import type { OrderAddress } from '../../identity/address/order-address';

/** An order as agreed at checkout; later changes of prices or addresses do not affect it. */
@Table({ tableName: 'orders', underscored: true, timestamps: false })
export class Order extends Model<InferAttributes<Order>, InferCreationAttributes<Order>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** The number that people use for the order. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare number: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: OrderStatus;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentStatus: OrderPaymentStatus;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare subtotalMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare discountMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare shippingMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare taxMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare totalMinor: number;

  /** The part of the total that was refunded or is due to be. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare refundedMinor: CreationOptional<number>;

  /** The part of the total that partner earnings paid. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare partnerBalanceMinor: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentMethod: PaymentMethod;

  @Column({ type: DataType.DATE, allowNull: false })
  declare paymentExpiresAt: Date;

  @Column(DataType.DATE)
  declare paidAt: Date | null;

  /** The buyer's first order that was ever paid, whatever became of it since. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isFirst: CreationOptional<boolean>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare shippingMethodId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare shippingMethodName: string;

  @Column(DataType.TEXT)
  declare carrier: string | null;

  @Column(DataType.DATEONLY)
  declare estimatedDelivery: string | null;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare shippingAddress: OrderAddress;

  @Column(DataType.JSONB)
  declare billingAddress: OrderAddress | null;

  @Column(DataType.TEXT)
  declare notes: string | null;

  @Column(DataType.TEXT)
  declare cancelReason: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
