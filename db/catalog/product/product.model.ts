import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** What is sold, with its price and its place in the catalogue. */
@Table({ tableName: 'products', underscored: true, timestamps: false })
export class Product extends Model<InferAttributes<Product>, InferCreationAttributes<Product>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column(DataType.UUID)
  declare categoryId: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare slug: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare sku: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare description: string;

  @Column(DataType.TEXT)
  declare shortDescription: string | null;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare priceMinor: number;

  @Column(DataType.BIGINT)
  declare compareAtPriceMinor: number | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: CreationOptional<string>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK';

  /** Whether stock limits the sale. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare trackInventory: CreationOptional<boolean>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare maxPerLine: CreationOptional<number>;

  @Column(DataType.INTEGER)
  declare weightGrams: number | null;

  @Column(DataType.INTEGER)
  declare lengthMm: number | null;

  @Column(DataType.INTEGER)
  declare widthMm: number | null;

  @Column(DataType.INTEGER)
  declare heightMm: number | null;

  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false })
  declare tags: CreationOptional<string[]>;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare attributes: CreationOptional<Record<string, string>>;

  /** Share of the sale that goes into commissions, in basis points. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare commissionBp: number;

  /** Career points per amount sold, in basis points. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare careerPointsBp: number;

  /** How many reviews gave one star, two stars, … five. */
  @Column({ type: DataType.ARRAY(DataType.INTEGER), allowNull: false })
  declare ratings: CreationOptional<number[]>;

  /** Popularity: pieces sold in the last 90 days. */
  @Column({ field: 'units_sold_90d', type: DataType.INTEGER, allowNull: false })
  declare unitsSold90d: CreationOptional<number>;

  /** Made by the database from name and description. */
  @Column({ type: DataType.TSVECTOR, allowNull: false })
  declare search: CreationOptional<string>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;

  /** When it was deleted, which archives it; null again once it has another status. */
  @Column(DataType.DATE)
  declare deletedAt: Date | null;
}
