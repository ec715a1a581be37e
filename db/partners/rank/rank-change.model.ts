import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A change of a partner's rank. */
@Table({ tableName: 'partner_rank_changes', underscored: true, timestamps: false })
export class RankChange extends Model<InferAttributes<RankChange>, InferCreationAttributes<RankChange>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Increases in the order of a partner's changes. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare number: CreationOptional<number>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare partnerId: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare programmeVersion: number;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare fromLevel: number;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare toLevel: number;

  /** The administrator; null if it was reached by points. */
  @Column(DataType.UUID)
  declare changedBy: string | null;

  @Column(DataType.TEXT)
  declare reason: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare changedAt: Date;
}
