import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A part of the debt of an investment provider that an administrator has given up. Never altered. */
@Table({ tableName: 'investment_provider_write_offs', underscored: true, timestamps: false })
export class ProviderWriteOff extends Model<
  InferAttributes<ProviderWriteOff>,
  InferCreationAttributes<ProviderWriteOff>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare reason: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare decidedBy: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
