import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One line of a cart. */
@Table({ tableName: 'cart_items', underscored: true, timestamps: false })
export class CartItem extends Model<InferAttributes<CartItem>, InferCreationAttributes<CartItem>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare cartId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  @Column(DataType.UUID)
  declare variantId: string | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare quantity: number;

  /** The price that the cart last showed; checkout charges no other. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare shownPriceMinor: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare addedAt: Date;
}
