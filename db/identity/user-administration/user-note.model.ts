import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A note about a user, by an administrator for other administrators. */
@Table({ tableName: 'user_notes', underscored: true, timestamps: false })
export class UserNote extends Model<InferAttributes<UserNote>, InferCreationAttributes<UserNote>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare content: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare createdBy: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
