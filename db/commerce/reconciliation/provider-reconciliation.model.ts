import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The comparison of one day of a provider's statement with ours. */
@Table({ tableName: 'provider_reconciliations', underscored: true, timestamps: false })
export class ProviderReconciliation extends Model<
  InferAttributes<ProviderReconciliation>,
  InferCreationAttributes<ProviderReconciliation>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  /** YYYY-MM-DD, in UTC. */
  @Column({ type: DataType.DATEONLY, allowNull: false })
  declare day: string;

  /** Counts the readings of the day; only the latest is recorded. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare reading: number;

  /** When the latest reading began. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare startedAt: Date;

  /** The last time that the whole day was read; stays while it is read again. */
  @Column(DataType.DATE)
  declare readAt: CreationOptional<Date | null>;

  /** Null while the latest reading is not compared. */
  @Column(DataType.DATE)
  declare comparedAt: CreationOptional<Date | null>;

  /** The movements that the provider said. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare movements: CreationOptional<number>;

  /** The fees that the latest comparison has booked; those booked before are not among them. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare feesBooked: CreationOptional<number>;
}
