import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PayoutAction } from '../../../workflows/commerce/payout/payout.rules';

/** A decision of a person on a payout. Its id is that of the note of the request. */
@Table({ tableName: 'payout_decisions', underscored: true, timestamps: false })
export class PayoutDecision extends Model<
  InferAttributes<PayoutDecision>,
  InferCreationAttributes<PayoutDecision>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare payoutId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare action: PayoutAction;

  /** The number of the transfer that PROCESS began; null of the others. */
  @Column(DataType.INTEGER)
  declare sending: number | null;

  @Column({ type: DataType.UUID, allowNull: false })
  declare madeBy: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare madeAt: Date;
}
