import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A document number that was submitted. Its user may replace it later; it stays to be recognised. */
@Table({ tableName: 'kyc_document_numbers', underscored: true, timestamps: false })
export class KycDocumentNumber extends Model<
  InferAttributes<KycDocumentNumber>,
  InferCreationAttributes<KycDocumentNumber>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare kycId: string;

  /** The sealed number; null of an erased account, of which only the code stays after a fraud. */
  @Column(DataType.BLOB)
  declare numberSealed: Buffer | null;

  /** The keyed code of the number, by which the same one is found under another account. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare numberMac: string;

  /** The name of the sealing key of that code. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare numberKey: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare submittedAt: Date;
}
