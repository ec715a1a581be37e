import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';

/** What was bought, as agreed at checkout; later changes of prices or addresses do not reach it. */
@Table({ tableName: 'orders', underscored: true, timestamps: false })
export class Order extends Model<InferAttributes<Order>, InferCreationAttributes<Order>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** What people call the order. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare number: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: OrderStatus;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentStatus: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED';

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

  /** How much of the total has gone back or is promised. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare refundedMinor: CreationOptional<number>;

  /** The part of the total that partner earnings paid. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare partnerBalanceMinor: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentMethod: 'CARD' | 'BANK_TRANSFER' | 'EWALLET' | 'BALANCE';

  @Column({ type: DataType.DATE, allowNull: false })
  declare paymentExpiresAt: Date;

  @Column(DataType.DATE)
  declare paidAt: Date | null;

  @Column({ type: DataType.UUID, allowNull: false })
  declare shippingMethodId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare shippingMethodName: string;

  @Column(DataType.TEXT)
  declare carrier: string | null;

  @Column(DataType.DATEONLY)
  declare estimatedDelivery: string | null;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare shippingAddress: Record<string, unknown>;

  @Column(DataType.JSONB)
  declare billingAddress: Record<string, unknown> | null;

  @Column(DataType.TEXT)
  declare notes: string | null;

  @Column(DataType.TEXT)
  declare cancelReason: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
