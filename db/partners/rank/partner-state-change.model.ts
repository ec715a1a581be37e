import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PartnerStatus } from '../../../workflows/partners/membership/partner.states';

/** A change of a partner's status or rank, with both before and after it; null before joining. The database writes it. */
@Table({ tableName: 'partner_state_changes', underscored: true, timestamps: false })
export class PartnerStateChange extends Model<
  InferAttributes<PartnerStateChange>,
  InferCreationAttributes<PartnerStateChange>
> {
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare partnerId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare changedAt: Date;

  @Column(DataType.TEXT)
  declare fromStatus: PartnerStatus | null;

  @Column(DataType.SMALLINT)
  declare fromLevel: number | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare toStatus: PartnerStatus;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare toLevel: number;
}
