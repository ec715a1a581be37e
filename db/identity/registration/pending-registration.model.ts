import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The input of a registration, stored until there is an account: the process that opens it carries ids only. */
@Table({ tableName: 'pending_registrations', underscored: true, timestamps: false })
export class PendingRegistration extends Model<
  InferAttributes<PendingRegistration>,
  InferCreationAttributes<PendingRegistration>
> {
  /** The account's id, once there is one. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare region: string;

  /** Lower case. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  /** Argon2id. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare passwordHash: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare firstName: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare lastName: string;

  /** E.164. */
  @Column(DataType.TEXT)
  declare phone: string | null;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare acceptedMarketing: boolean;

  /** The partner who referred them. */
  @Column(DataType.UUID)
  declare sponsorId: string | null;

  /** The referral touch that their browser's cookie names. */
  @Column(DataType.UUID)
  declare touchId: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
