import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { SecretPurpose } from '../../../workflows/investment/strategy/strategy.rules';

/** A secret that is shared with a provider, sealed. */
@Table({ tableName: 'investment_provider_secrets', underscored: true, timestamps: false })
export class ProviderSecret extends Model<
  InferAttributes<ProviderSecret>,
  InferCreationAttributes<ProviderSecret>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare purpose: SecretPurpose;

  /** Sealed for the purpose of its id. */
  @Column({ type: DataType.BLOB, allowNull: false })
  declare secret: Buffer;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  /** Null for the one that signs now. */
  @Column(DataType.DATE)
  declare validUntil: CreationOptional<Date | null>;
}
