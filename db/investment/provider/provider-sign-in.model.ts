import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A user who was led to a provider to sign in there. */
@Table({ tableName: 'investment_provider_sign_ins', underscored: true, timestamps: false })
export class ProviderSignIn extends Model<
  InferAttributes<ProviderSignIn>,
  InferCreationAttributes<ProviderSignIn>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerCode: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare firstAt: Date;
}
