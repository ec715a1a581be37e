import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A category of products; categories form a tree. */
@Table({ tableName: 'categories', underscored: true, timestamps: false })
export class Category extends Model<InferAttributes<Category>, InferCreationAttributes<Category>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column(DataType.UUID)
  declare parentId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare slug: string;

  @Column(DataType.TEXT)
  declare description: string | null;

  @Column(DataType.TEXT)
  declare imageUrl: string | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare position: CreationOptional<number>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
