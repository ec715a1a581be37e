import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The end of the audit trail at a check that found it whole; the database refuses to change a row. */
@Table({ tableName: 'audit_heads', underscored: true, timestamps: false })
export class AuditHead extends Model<InferAttributes<AuditHead>, InferCreationAttributes<AuditHead>> {
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  /** The sequence of the trail's last record, as `recordId` and `hash` are its id and hash. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare sequence: number;

  @Column({ type: DataType.UUID, allowNull: false })
  declare recordId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare hash: string;

  /** The number of records. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare count: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare keptAt: Date;

  /** The sealing key of `mac`. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare keyId: string;

  /** HMAC-SHA-256 in hex over the other columns. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare mac: string;
}
