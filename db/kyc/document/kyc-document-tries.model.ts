import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';

/** A user's tries with one type of document: submissions with new ones, and files since the last of them. */
@Table({ tableName: 'kyc_document_tries', underscored: true, timestamps: false })
export class KycDocumentTries extends Model<
  InferAttributes<KycDocumentTries>,
  InferCreationAttributes<KycDocumentTries>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare type: KycDocumentType;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare tries: CreationOptional<number>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare uploads: CreationOptional<number>;
}
