import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A category of strategies. */
@Table({ tableName: 'investment_categories', underscored: true, timestamps: false })
export class InvestmentCategory extends Model<
  InferAttributes<InvestmentCategory>,
  InferCreationAttributes<InvestmentCategory>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare slug: string;

  @Column(DataType.TEXT)
  declare description: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare imageUrl: CreationOptional<string | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
