import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A code that replaces a lost second factor once. Only its hash is stored. */
@Table({ tableName: 'backup_codes', underscored: true, timestamps: false })
export class BackupCode extends Model<InferAttributes<BackupCode>, InferCreationAttributes<BackupCode>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare codeHash: string;

  @Column(DataType.DATE)
  declare usedAt: Date | null;
}
