import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { StatusDecisionName } from '../../../workflows/identity/user/user.rules';

/** A decision on the status of a user and its effect; the same decision sent again is answered from here. */
@Table({ tableName: 'user_standing_changes', underscored: true, timestamps: false })
export class UserStatusChange extends Model<
  InferAttributes<UserStatusChange>,
  InferCreationAttributes<UserStatusChange>
> {
  /** The request note that the decision came with. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare decision: StatusDecisionName;

  @Column({ type: DataType.UUID, allowNull: false })
  declare decidedBy: string;

  /** The end of a suspension; null: no end, or no suspension. */
  @Column(DataType.DATE)
  declare until: Date | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare sessionsRevoked: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare at: Date;
}
