import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A recorded change, linked to the record before it by hash; the database refuses to alter a record. */
@Table({ tableName: 'audit_records', underscored: true, timestamps: false })
export class AuditRecord extends Model<InferAttributes<AuditRecord>, InferCreationAttributes<AuditRecord>> {
  /** The order of the chain. Rollbacks leave gaps in the numbers; the hashes prove that no record is missing. */
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare sequence: CreationOptional<number>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare id: string;

  /** The user who acted; null when the platform did. */
  @Column(DataType.UUID)
  declare actorId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare action: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare entityType: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare entityId: string;

  /** The changed fields before the change, without secrets. */
  @Column({ field: 'previous', type: DataType.JSONB })
  declare previousValue: unknown;

  /** The changed fields after the change, without secrets. */
  @Column({ field: 'next', type: DataType.JSONB })
  declare nextValue: unknown;

  @Column(DataType.TEXT)
  declare clientAddress: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  /** The hash of the record before; for the first record, 64 zeros. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare previousHash: string;

  /** HMAC-SHA-256 in hex over `previousHash` and this record in canonical JSON. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare hash: string;

  /** The sealing key that the key of `hash` is derived from. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare keyId: string;
}
