import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A replaced password, stored so that it is not chosen again too soon. */
@Table({ tableName: 'password_history', underscored: true, timestamps: false })
export class EarlierPassword extends Model<
  InferAttributes<EarlierPassword>,
  InferCreationAttributes<EarlierPassword>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  /** Argon2id. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare passwordHash: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare replacedAt: Date;
}
