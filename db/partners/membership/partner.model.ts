import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PartnerStatus } from '../../../workflows/partners/membership/partner.states';

/** A person's membership in the partner programme. The place in the tree is fixed when they join. */
@Table({ tableName: 'partners', underscored: true, timestamps: false })
export class Partner extends Model<InferAttributes<Partner>, InferCreationAttributes<Partner>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  /** The code by which new people name their sponsor; upper case. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare referralCode: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: PartnerStatus;

  /** The partner above; null at the top. */
  @Column(DataType.UUID)
  declare sponsorId: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare joinedAt: Date;

  /** Given by the database. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare number: CreationOptional<number>;

  /** The numbers of the partners above, from the top, and its own, with dots between; set by the database. */
  @Column({ type: 'LTREE', allowNull: false })
  declare path: CreationOptional<string>;

  @Column(DataType.DATE)
  declare activatedAt: Date | null;

  @Column(DataType.DATE)
  declare statusChangedAt: CreationOptional<Date | null>;
}
