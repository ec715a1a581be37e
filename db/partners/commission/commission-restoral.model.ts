import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A commission that was taken back as a whole and restored, with both times. */
@Table({ tableName: 'partner_commission_restorals', underscored: true, timestamps: false })
export class CommissionRestoral extends Model<
  InferAttributes<CommissionRestoral>,
  InferCreationAttributes<CommissionRestoral>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare commissionId: string;

  /** The event that restored it. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare eventId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare reversedAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare restoredAt: Date;
}
