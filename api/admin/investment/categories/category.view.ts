import { z } from 'zod';
import type { InvestmentCategoryRecord } from '../../../../db/investment/category/investment-category-record.reads';
import { text } from '../../../http/request/fields';
import { imageUrlField, slugField } from '../../categories/category.view';

/** The body of a request for a new category of strategies. Nullable fields may be left out. */
export const InvestmentCategoryRequest = z
  .object({
    name: text({ min: 1, max: 100 }).meta({ example: 'Real estate' }),
    slug: slugField()
      .optional()
      .meta({ description: 'If left out, made from the name, with a number if it is taken.' }),
    description: text({ min: 1, max: 2000 }).nullish().meta({ example: 'Rented houses and offices.' }),
    imageUrl: imageUrlField().nullish(),
    isActive: z.boolean().default(true).meta({ description: 'Whether visitors see it.' }),
  })
  .meta({ id: 'InvestmentCategoryRequest' });

/** The body of a change; fields left out stay, null empties a field. */
export const InvestmentCategoryChange = z
  .object({
    ...InvestmentCategoryRequest.shape,
    slug: slugField(),
    isActive: z.boolean().describe('False: kept for administrators, hidden from visitors.'),
  })
  .partial()
  .meta({ id: 'InvestmentCategoryChange', example: { name: 'Houses and offices' } });

/** A category of strategies as administrators see it after a change. */
export const SetInvestmentCategory = z
  .object({
    id: z.uuid().describe('Identifies the investment category; a UUID.'),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    isActive: z.boolean().describe('False: kept for administrators, hidden from visitors.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SetInvestmentCategory' });

/** A category of strategies as the list shows it to administrators. */
export const AdminInvestmentCategory = SetInvestmentCategory.extend({
  strategiesCount: z.int().meta({ description: 'Strategies in it, of every status.' }),
}).meta({ id: 'AdminInvestmentCategory' });

export const investmentCategoryView = (
  category: InvestmentCategoryRecord,
): z.input<typeof SetInvestmentCategory> => ({
  ...category,
  createdAt: category.createdAt.toISOString(),
  updatedAt: category.updatedAt.toISOString(),
});
