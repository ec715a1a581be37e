import { type CreationOptional, type InferAttributes, type InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Text and address of a person's request; processes carry only its id. */
@Table({ tableName: 'request_notes', underscored: true, timestamps: false })
export class RequestNote extends Model<InferAttributes<RequestNote>, InferCreationAttributes<RequestNote>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare actorId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare clientAddress: string;

  /** The sealed text. */
  @Column({ type: DataType.BLOB, allowNull: true })
  declare text: Buffer | null;

  /** The entity that it is about, where the text goes with that entity's data. */
  @Column({ type: DataType.UUID, allowNull: true })
  declare entityId: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: CreationOptional<Date>;
}
