import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/**
 * A refund or a lost chargeback takes back. RETURN restores what a chargeback took: it was returned, or it has paid a refund that was
 * counted and takes the same.
 */
export type TakingBackKind = 'REFUND' | 'CHARGEBACK' | 'RETURN';

/** A sale, or the part of one that was taken back or restored, as the partner programme counts it. */
@Table({ tableName: 'partner_sales', underscored: true, timestamps: false })
export class PartnerSale extends Model<InferAttributes<PartnerSale>, InferCreationAttributes<PartnerSale>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Increases in the order of counting. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare number: CreationOptional<number>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare eventId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: 'ORDER' | 'INVESTMENT' | TakingBackKind;

  /** The order, or the investment's deposit. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare sourceId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare buyerId: string;

  /** The buyer's nearest active partner above, who is the sponsor of the sale; null without one. */
  @Column(DataType.UUID)
  declare partnerId: string | null;

  /** Goods after discount, before tax and shipping, or the investment; below zero of a refund and a lost chargeback. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare baseMinor: number;

  /** The sum over the lines of base times commission rate, in ten-thousandths of a minor unit. */
  @Column({ type: 'numeric(30,0)', allowNull: false })
  declare commissionWeight: string;

  @Column({ type: 'numeric(30,0)', allowNull: false })
  declare pointsWeight: string;

  /** Hundredths of a point. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare points: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare programmeVersion: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare countedAt: Date;
}
