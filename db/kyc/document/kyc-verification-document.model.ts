import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { KycDocumentStatus, KycRejection } from '../../../workflows/kyc/kyc.rules';

/**
 * A document that a verification holds, and what became of it there. A later verification may hold it too, and decides
 * anew.
 */
@Table({ tableName: 'kyc_verification_documents', underscored: true, timestamps: false })
export class KycVerificationDocument extends Model<
  InferAttributes<KycVerificationDocument>,
  InferCreationAttributes<KycVerificationDocument>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare kycId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare documentId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: CreationOptional<KycDocumentStatus>;

  @Column(DataType.TEXT)
  declare reason: CreationOptional<KycRejection | null>;

  /** When it was first part of a submission of this verification; from then on its user cannot delete it. */
  @Column(DataType.DATE)
  declare submittedAt: CreationOptional<Date | null>;

  /** When its user removed it after a submission: it no longer counts, and only reviewers see it. */
  @Column(DataType.DATE)
  declare removedAt: CreationOptional<Date | null>;
}
