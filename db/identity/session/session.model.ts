import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One sign-in on one device. Its access tokens live only as long as it does. */
@Table({ tableName: 'sessions', underscored: true, timestamps: false })
export class Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column(DataType.TEXT)
  declare userAgent: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare ipAddress: string;

  @Column(DataType.TEXT)
  declare deviceFingerprint: string | null;

  /** The likely country of the address (ISO 3166-1 alpha-2). */
  @Column(DataType.TEXT)
  declare country: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare city: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare lastActiveAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;

  /** When its user last proved the password again, and the second factor if there is one. */
  @Column(DataType.DATE)
  declare confirmedAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare revokedAt: Date | null;

  @Column(DataType.TEXT)
  declare revokeReason:
    'LOGOUT' | 'REVOKED' | 'REUSE' | 'TOO_MANY' | 'PASSWORD' | 'TWO_FACTOR' | 'ADMIN' | 'DELETION' | null;
}
