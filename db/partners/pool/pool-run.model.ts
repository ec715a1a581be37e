import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PoolKind } from '../../../workflows/partners/pool/pool-period.rules';
import type { PoolRunStatus } from '../../../workflows/partners/pool/pool.states';

/** The leadership pool of one period, and what it was computed of. */
@Table({ tableName: 'pool_runs', underscored: true, timestamps: false })
export class PoolRun extends Model<InferAttributes<PoolRun>, InferCreationAttributes<PoolRun>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: PoolKind;

  /** 2026-W47 or 2026-11. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare period: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare startsAt: Date;

  /** The first moment after the period. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare endsAt: Date;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare programmeVersion: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** Sales, less refunds, of the period and the late ones of periods that were counted before. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare baseMinor: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare rateBp: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare poolMinor: number;

  /** The qualified volume from which a partner takes part. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare minimumVolumeMinor: number;

  /** The sum of the numerators of its shares. */
  @Column({ type: 'numeric(40,0)', allowNull: false })
  declare denominator: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare participants: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare distributedMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: PoolRunStatus;

  @Column({ type: DataType.DATE, allowNull: false })
  declare countedAt: Date;

  /** The last sale that was counted then; sales of the period with a higher number are late: they count in the next run. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare lastSaleNumber: number;

  /** The run of the kind that was counted before this, null for the first. */
  @Column(DataType.UUID)
  declare previousRunId: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare completedAt: CreationOptional<Date | null>;
}
