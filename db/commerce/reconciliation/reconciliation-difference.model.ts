import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type {
  DifferenceKind,
  MovementKind,
} from '../../../workflows/commerce/reconciliation/reconciliation.rules';

/** A difference between a provider's statement and ours. */
@Table({ tableName: 'reconciliation_differences', underscored: true, timestamps: false })
export class ReconciliationDifference extends Model<
  InferAttributes<ReconciliationDifference>,
  InferCreationAttributes<ReconciliationDifference>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** The run that found it first; null where a report on a bank file shows it, or a look-up of a transfer. */
  @Column(DataType.UUID)
  declare runId: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  /** The day (UTC) of the movement. */
  @Column({ type: DataType.DATEONLY, allowNull: false })
  declare day: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: DifferenceKind;

  /** Null of a clearing account. */
  @Column(DataType.TEXT)
  declare movementKind: CreationOptional<MovementKind | null>;

  @Column(DataType.TEXT)
  declare providerId: CreationOptional<string | null>;

  /** The id of our row; of a clearing account its day and currency. */
  @Column(DataType.TEXT)
  declare ourId: CreationOptional<string | null>;

  @Column(DataType.BIGINT)
  declare ourMinor: CreationOptional<number | null>;

  @Column(DataType.TEXT)
  declare ourCurrency: CreationOptional<string | null>;

  @Column(DataType.BIGINT)
  declare theirMinor: CreationOptional<number | null>;

  @Column(DataType.TEXT)
  declare theirCurrency: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare foundAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare lastSeenAt: Date;

  @Column(DataType.DATE)
  declare resolvedAt: CreationOptional<Date | null>;

  /** The administrator who said that it is explained; null when it was gone by itself. */
  @Column(DataType.UUID)
  declare resolvedBy: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare note: CreationOptional<string | null>;
}
