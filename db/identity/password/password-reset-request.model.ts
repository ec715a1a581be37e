import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Somebody forgot the password of an account that may or may not exist; kept until that was looked into. */
@Table({ tableName: 'reset_wishes', underscored: true, timestamps: false })
export class PasswordResetRequest extends Model<
  InferAttributes<PasswordResetRequest>,
  InferCreationAttributes<PasswordResetRequest>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare region: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
