import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { KycContentType, KycDocumentType } from '../../../workflows/kyc/kyc.rules';

/** An uploaded document. Its bytes are sealed blobs under a key of its own. */
@Table({ tableName: 'kyc_documents', underscored: true, timestamps: false })
export class KycDocument extends Model<InferAttributes<KycDocument>, InferCreationAttributes<KycDocument>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: KycDocumentType;

  /** The type of the uploaded file. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare contentType: KycContentType;

  /** The sealed name of the uploaded file (`document-name.ts`). */
  @Column({ type: DataType.BLOB, allowNull: false })
  declare nameSealed: Buffer;

  /** The size of the uploaded file. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare bytes: number;

  /** The uploaded file where reviewers are shown another; null where they are shown the uploaded one. */
  @Column(DataType.TEXT)
  declare originalBlob: string | null;

  /** The file that reviewers are shown. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare fileBlob: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare fileContentType: KycContentType;

  @Column(DataType.TEXT)
  declare thumbnailBlob: string | null;

  /** The key of its blobs, sealed under the master key. */
  @Column({ type: DataType.BLOB, allowNull: false })
  declare dataKey: Buffer;

  /** The keyed code of the uploaded bytes, by which the same file is found under another account. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare contentMac: string;

  /** The name of the sealing key of that code. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare contentKey: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare uploadedAt: Date;
}
