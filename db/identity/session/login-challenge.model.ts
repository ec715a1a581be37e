import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A sign-in whose password was right and whose second factor is awaited. Only the hash of its token is stored. */
@Table({ tableName: 'login_challenges', underscored: true, timestamps: false })
export class LoginChallenge extends Model<
  InferAttributes<LoginChallenge>,
  InferCreationAttributes<LoginChallenge>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare tokenHash: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column(DataType.TEXT)
  declare deviceFingerprint: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare tries: CreationOptional<number>;

  /** When it ended: with a session, or by a change that ends all sign-ins. */
  @Column(DataType.DATE)
  declare usedAt: Date | null;
}
