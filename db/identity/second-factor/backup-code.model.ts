import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A code that stands in, once, for a second factor that was lost. Only its hash is kept. */
@Table({ tableName: 'backup_codes', underscored: true, timestamps: false })
export class BackupCode extends Model<InferAttributes<BackupCode>, InferCreationAttributes<BackupCode>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare codeHash: string;

  @Column(DataType.DATE)
  declare usedAt: Date | null;
}
