import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A visitor who followed a partner's link. */
@Table({ tableName: 'referral_touches', underscored: true, timestamps: false })
export class ReferralTouch extends Model<
  InferAttributes<ReferralTouch>,
  InferCreationAttributes<ReferralTouch>
> {
  /** The value of the visitor's cookie `svc_ref_link_id`. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** A hash that identifies a visitor without a cookie for a day; unique until conversion. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare visitor: string;

  /** The partner whose link was followed last. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare partnerId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare partnerCode: string;

  /** The partner's own link that was followed last, by which the account was opened; null for the code alone. */
  @Column(DataType.UUID)
  declare partnerLinkId: CreationOptional<string | null>;

  /** The partner whose link was followed first. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare firstPartnerCode: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare firstTouchAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare lastTouchAt: Date;

  @Column(DataType.TEXT)
  declare firstUtmSource: string | null;

  @Column(DataType.TEXT)
  declare firstUtmMedium: string | null;

  @Column(DataType.TEXT)
  declare firstUtmCampaign: string | null;

  @Column(DataType.TEXT)
  declare lastUtmSource: string | null;

  @Column(DataType.TEXT)
  declare lastUtmMedium: string | null;

  @Column(DataType.TEXT)
  declare lastUtmCampaign: string | null;

  /** The path of the first link. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare landingPage: string;

  @Column(DataType.TEXT)
  declare ipAddress: string | null;

  @Column(DataType.TEXT)
  declare userAgent: string | null;

  /** The account that the visitor opened; null again when that account is deleted. */
  @Column(DataType.UUID)
  declare convertedUserId: string | null;

  @Column(DataType.DATE)
  declare convertedAt: Date | null;

  /** When that account first paid for an order, of those that the commission engine has counted. */
  @Column(DataType.DATE)
  declare firstSaleAt: CreationOptional<Date | null>;
}
