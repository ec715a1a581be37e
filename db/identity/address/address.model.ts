import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A delivery address of a user. */
@Table({ tableName: 'addresses', underscored: true, timestamps: false })
export class Address extends Model<InferAttributes<Address>, InferCreationAttributes<Address>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column(DataType.TEXT)
  declare label: string | null;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isDefault: CreationOptional<boolean>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare recipientName: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare street: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare city: string;

  @Column(DataType.TEXT)
  declare region: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare country: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare postalCode: string;

  @Column(DataType.TEXT)
  declare phone: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
