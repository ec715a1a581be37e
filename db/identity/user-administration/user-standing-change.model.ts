import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A decision on whether a person may act, and what it did: asked again, it is answered again and not done again. */
@Table({ tableName: 'user_standing_changes', underscored: true, timestamps: false })
export class UserStandingChange extends Model<
  InferAttributes<UserStandingChange>,
  InferCreationAttributes<UserStandingChange>
> {
  /** The request note that the decision came with. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare decision: 'SUSPEND' | 'ACTIVATE' | 'BAN' | 'UNBAN';

  @Column({ type: DataType.UUID, allowNull: false })
  declare decidedBy: string;

  /** When a suspension ends by itself; null: never, or no suspension. */
  @Column(DataType.DATE)
  declare until: Date | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare sessionsRevoked: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare at: Date;
}
