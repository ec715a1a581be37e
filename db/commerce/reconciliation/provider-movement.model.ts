import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { MovementKind } from '../../../workflows/commerce/reconciliation/reconciliation.rules';

/** Money that moved on our account with a provider, as the provider says. Kept for some weeks. */
@Table({ tableName: 'provider_movements', underscored: true, timestamps: false })
export class ProviderMovement extends Model<
  InferAttributes<ProviderMovement>,
  InferCreationAttributes<ProviderMovement>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare provider: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare kind: MovementKind;

  /** The provider's own id of it, of which it has one for each time that money moves. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerId: string;

  /** The provider's id of the chargeback that took or returned the money; null: that is `providerId`, or it is no chargeback. */
  @Column(DataType.TEXT)
  declare chargebackId: CreationOptional<string | null>;

  @Column({ type: DataType.DATEONLY, allowNull: false })
  declare day: string;

  /** Our key of it, where the provider knows one; of a fee, the provider's id of the chargeback that it is for. */
  @Column(DataType.TEXT)
  declare reference: CreationOptional<string | null>;

  /** The provider's id of the movement of the same kind that this one undoes. */
  @Column(DataType.TEXT)
  declare reverses: CreationOptional<string | null>;

  /** Above zero as the kind says; below zero, the other way. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;

  /** The reading of the day that it was last found in. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare reading: number;

  /** When it was compared with our records; null until then. */
  @Column(DataType.DATE)
  declare comparedAt: CreationOptional<Date | null>;
}
