import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { EntranceStatus } from '../../../workflows/partners/membership/entrance.states';
import type {
  EntranceMethod,
  EntrancePaymentStatus,
} from '../../../workflows/partners/membership/membership.rules';

/** The entrance fee of one person who joins the partner programme. At most one of a user waits for its payment. */
@Table({ tableName: 'partner_entrances', underscored: true, timestamps: false })
export class PartnerEntrance extends Model<
  InferAttributes<PartnerEntrance>,
  InferCreationAttributes<PartnerEntrance>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** As people name it, such as ENT-2026-00000012. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare number: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  /** The membership that it paid for. */
  @Column(DataType.UUID)
  declare partnerId: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: EntranceStatus;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The latest that was requested; of a paid one that by which it was paid. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentMethod: EntranceMethod;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentStatus: EntrancePaymentStatus;

  /** The end of the time to pay it. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare paymentExpiresAt: Date;

  @Column(DataType.DATE)
  declare paidAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare endedAt: CreationOptional<Date | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
