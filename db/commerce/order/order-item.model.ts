import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One line of an order, as it was sold. */
@Table({ tableName: 'order_items', underscored: true, timestamps: false })
export class OrderItem extends Model<InferAttributes<OrderItem>, InferCreationAttributes<OrderItem>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare position: number;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  /** The category that the product was in when it was ordered. */
  @Column(DataType.UUID)
  declare categoryId: string | null;

  @Column(DataType.UUID)
  declare variantId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare sku: string;

  @Column(DataType.TEXT)
  declare thumbnailUrl: string | null;

  @Column(DataType.JSONB)
  declare variantAttributes: Record<string, string> | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare quantity: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare unitPriceMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare totalMinor: number;

  /** The share of this line in the order's discount. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare discountMinor: number;

  /** The share of this line in the order's tax. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare taxMinor: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare commissionBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare careerPointsBp: number;

  /** Null where stock is not tracked. */
  @Column(DataType.UUID)
  declare stockItemId: string | null;

  /** Units that are refunded, by a request that was approved or a cancellation after payment. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare refundedQuantity: CreationOptional<number>;

  /** Units that are available for sale again; those of a line without tracked stock are counted too. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare restockedQuantity: CreationOptional<number>;
}
