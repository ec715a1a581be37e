import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Units of a product sold on one day (UTC), which popularity sums up. */
@Table({ tableName: 'product_daily_sales', underscored: true, timestamps: false })
export class ProductDailySale extends Model<
  InferAttributes<ProductDailySale>,
  InferCreationAttributes<ProductDailySale>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare productId: string;

  @Column({ type: DataType.DATEONLY, primaryKey: true })
  declare day: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare units: number;
}
