import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { KycLevel, KycStatus } from '../../../workflows/kyc/kyc.rules';
import type { PayoutMethod, Region, UserStatus } from '../../../workflows/identity/user/user.rules';

/** An account. An e-mail address has one account per region. */
@Table({ tableName: 'users', underscored: true, timestamps: false })
export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare region: Region;

  /** Always in lower case. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  /** Argon2id; null for users who sign in through another provider only. */
  @Column(DataType.TEXT)
  declare passwordHash: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: UserStatus;

  /** USER, ADMIN, SUPER_ADMIN. */
  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false })
  declare roles: CreationOptional<string[]>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare firstName: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare lastName: string;

  @Column(DataType.TEXT)
  declare phone: string | null;

  @Column(DataType.TEXT)
  declare avatarUrl: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kycStatus: CreationOptional<KycStatus>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kycLevel: CreationOptional<KycLevel>;

  @Column(DataType.DATE)
  declare emailVerifiedAt: Date | null;

  @Column(DataType.TEXT)
  declare middleName: CreationOptional<string | null>;

  /** YYYY-MM-DD. */
  @Column(DataType.DATEONLY)
  declare dateOfBirth: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare countryCode: CreationOptional<string | null>;

  /** Part of the country; `region` is the platform's. */
  @Column(DataType.TEXT)
  declare homeRegion: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare city: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare postalCode: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, field: 'address_line1' })
  declare addressLine1: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare language: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare timezone: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare currency: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare phoneVerifiedAt: CreationOptional<Date | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare acceptedMarketing: CreationOptional<boolean>;

  @Column(DataType.DATE)
  declare termsAcceptedAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare passwordChangedAt: CreationOptional<Date | null>;

  /** The partner who referred them; fixed at registration. */
  @Column(DataType.UUID)
  declare sponsorId: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare suspendedAt: CreationOptional<Date | null>;

  /** Null while suspended: until an administrator decides. */
  @Column(DataType.DATE)
  declare suspendedUntil: CreationOptional<Date | null>;

  @Column(DataType.UUID)
  declare suspendedBy: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare suspensionReason: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare payoutMethod: CreationOptional<PayoutMethod | null>;

  @Column(DataType.TEXT)
  declare payoutMasked: CreationOptional<string | null>;

  @Column(DataType.BLOB)
  declare payoutSealed: CreationOptional<Buffer | null>;

  @Column(DataType.DATE)
  declare payoutChangedAt: CreationOptional<Date | null>;

  /** The time when personal data will be erased; null: no deletion is scheduled. */
  @Column(DataType.DATE)
  declare deletionDueAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare erasedAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare lastLoginAt: Date | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
