import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { RefundRequestStatus } from '../../../workflows/commerce/refund/refund-request.states';

/** A request for money of an order, with the decision on it. */
@Table({ tableName: 'refund_requests', underscored: true, timestamps: false })
export class RefundRequest extends Model<
  InferAttributes<RefundRequest>,
  InferCreationAttributes<RefundRequest>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: RefundRequestStatus;

  /** True if an administrator began it; the reason is then the administrator's. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare byShop: CreationOptional<boolean>;

  /** The buyer's own words; empty once they are erased. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reason: string;

  @Column(DataType.TEXT)
  declare description: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare requestedMinor: number;

  @Column(DataType.BIGINT)
  declare approvedMinor: number | null;

  /** The requested shipping with its tax. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare shippingMinor: CreationOptional<number>;

  /** The requested amount without units. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: CreationOptional<number>;

  /** The approved shares: goods after discount, their tax, shipping, its tax. Null until approved. */
  @Column(DataType.BIGINT)
  declare goodsBackMinor: number | null;

  @Column(DataType.BIGINT)
  declare goodsTaxBackMinor: number | null;

  @Column(DataType.BIGINT)
  declare shippingBackMinor: number | null;

  @Column(DataType.BIGINT)
  declare shippingTaxBackMinor: number | null;

  /** True if the goods were restocked. */
  @Column(DataType.BOOLEAN)
  declare restock: boolean | null;

  @Column(DataType.TEXT)
  declare decisionNote: string | null;

  @Column(DataType.UUID)
  declare decisionId: string | null;

  @Column(DataType.UUID)
  declare decidedBy: string | null;

  @Column(DataType.DATE)
  declare decidedAt: Date | null;

  @Column(DataType.DATE)
  declare concludedAt: Date | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
