import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Where the audit trail ended when it was last found whole; the database refuses to alter one. */
@Table({ tableName: 'audit_heads', underscored: true, timestamps: false })
export class AuditHead extends Model<InferAttributes<AuditHead>, InferCreationAttributes<AuditHead>> {
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  /** Of the trail's last record, as are `recordId` and `hash`. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare sequence: number;

  @Column({ type: DataType.UUID, allowNull: false })
  declare recordId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare hash: string;

  /** How many records the trail had. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare count: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare keptAt: Date;

  /** The sealing key that `mac` was made under; null only for the end of the records from before there were keys. */
  @Column(DataType.TEXT)
  declare keyId: string | null;

  /** HMAC-SHA-256 in hex over everything else here. */
  @Column(DataType.TEXT)
  declare mac: string | null;
}
