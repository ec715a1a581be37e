import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { KycAction } from '../../../workflows/kyc/kyc.rules';

/** An event in the history of a verification. */
@Table({ tableName: 'kyc_history', underscored: true, timestamps: false })
export class KycHistory extends Model<InferAttributes<KycHistory>, InferCreationAttributes<KycHistory>> {
  /** Of a decision the id of its note, so that it is carried out once. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare kycId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare action: KycAction;

  /** Null: the platform itself. */
  @Column(DataType.UUID)
  declare performedBy: string | null;

  /** A person's own words, sealed; erased with the account. */
  @Column(DataType.BLOB)
  declare note: Buffer | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare at: Date;
}
