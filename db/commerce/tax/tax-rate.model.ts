import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The sales tax of a destination country. */
@Table({ tableName: 'tax_rates', underscored: true, timestamps: false })
export class TaxRate extends Model<InferAttributes<TaxRate>, InferCreationAttributes<TaxRate>> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare country: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare rateBp: number;
}
