import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The last push of identity verifications to a provider. */
@Table({ tableName: 'kyc_syncs', underscored: true, timestamps: false })
export class KycSync extends Model<InferAttributes<KycSync>, InferCreationAttributes<KycSync>> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerCode: string;

  /** The scheduled time, such as 2026-11-23T06. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare slot: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare startedAt: Date;

  /** Null while it runs. */
  @Column(DataType.DATE)
  declare endedAt: CreationOptional<Date | null>;

  /** Users whom the provider accepted or refused in this run. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare accepted: CreationOptional<number>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare refused: CreationOptional<number>;

  /** Of the refused, those that were refused whatever their content is. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare missed: CreationOptional<number>;

  /** Why some were not accepted; null: they were. */
  @Column(DataType.TEXT)
  declare problem: CreationOptional<string | null>;

  /** The end of the last run in which the provider was told of everybody. */
  @Column(DataType.DATE)
  declare completedAt: CreationOptional<Date | null>;

  /** No call to the provider begins before. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare nextCallAt: Date;
}
