import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The state of a user's verification that a provider has accepted last. */
@Table({ tableName: 'kyc_pushes', underscored: true, timestamps: false })
export class KycPush extends Model<InferAttributes<KycPush>, InferCreationAttributes<KycPush>> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerCode: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  /** Null where it has accepted none. */
  @Column(DataType.TEXT)
  declare fingerprint: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare acceptedAt: CreationOptional<Date | null>;

  /** The state that it refused last, for this user alone; null: none. */
  @Column(DataType.TEXT)
  declare refusedFingerprint: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare refusedAt: CreationOptional<Date | null>;
}
