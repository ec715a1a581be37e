import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A provider's word on a user's identity: evidence for the reviewer, never an approval. */
@Table({ tableName: 'kyc_provider_reports', underscored: true, timestamps: false })
export class KycProviderReport extends Model<
  InferAttributes<KycProviderReport>,
  InferCreationAttributes<KycProviderReport>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare level: string;

  /** The provider's statement about the person, sealed. */
  @Column(DataType.BLOB)
  declare data: CreationOptional<Buffer | null>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare webhookEventId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare receivedAt: Date;
}
