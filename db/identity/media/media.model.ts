import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A public picture or document; its bytes are the blob of the same name. */
@Table({ tableName: 'media', underscored: true, timestamps: false })
export class Media extends Model<InferAttributes<Media>, InferCreationAttributes<Media>> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare contentType: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare bytes: number;

  /** In pixels, like `height`; null for a document. */
  @Column(DataType.INTEGER)
  declare width: number | null;

  @Column(DataType.INTEGER)
  declare height: number | null;

  @Column(DataType.UUID)
  declare ownerId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare purpose: 'AVATAR' | 'PRODUCT' | 'STRATEGY';

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
