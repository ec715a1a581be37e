import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A person's membership in the partner programme. */
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
  declare status: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';

  /** The partner above; null at the top. */
  @Column(DataType.UUID)
  declare sponsorId: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare joinedAt: Date;
}
