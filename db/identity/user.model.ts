import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A person with an account. One e-mail address is one account per region. */
@Table({ tableName: 'users', underscored: true, timestamps: false })
export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare region: 'EU' | 'US' | 'APAC';

  /** Always in lower case. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare email: string;

  /** Argon2id; null for people who only sign in elsewhere. */
  @Column(DataType.TEXT)
  declare passwordHash: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'BANNED';

  /** What the user may do: USER, ADMIN, SUPER_ADMIN. */
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
  declare kycStatus: CreationOptional<
    | 'NOT_STARTED'
    | 'DOCUMENTS_PENDING'
    | 'SUBMITTED'
    | 'UNDER_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'NEEDS_INFO'
  >;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kycLevel: CreationOptional<'NONE' | 'BASIC' | 'STANDARD' | 'ENHANCED'>;

  @Column(DataType.DATE)
  declare emailVerifiedAt: Date | null;

  @Column(DataType.DATE)
  declare lastLoginAt: Date | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
