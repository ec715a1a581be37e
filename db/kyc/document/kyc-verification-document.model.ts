import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A document that a verification holds; a later verification may hold it too. */
@Table({ tableName: 'kyc_verification_documents', underscored: true, timestamps: false })
export class KycVerificationDocument extends Model<
  InferAttributes<KycVerificationDocument>,
  InferCreationAttributes<KycVerificationDocument>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare kycId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare documentId: string;
}
