import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A request for a new password of an account that may or may not exist; deleted once its process has handled it. */
@Table({ tableName: 'password_reset_requests', underscored: true, timestamps: false })
export class PasswordResetRequest extends Model<
  InferAttributes<PasswordResetRequest>,
  InferCreationAttributes<PasswordResetRequest>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare region: string;

  /** Lower case. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
