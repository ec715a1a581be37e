import { z } from 'zod';
import { catalogueTags } from '../../../db/catalog/catalogue-change/catalogue-channel';
import { shownCategories, type ShownCategoryRow } from '../../../db/investment/category/shown-category.reads';
import { RISK_LEVELS } from '../../../workflows/investment/strategy/strategy.rules';
import type { Context } from '../../http/handler-context';
import { percent, RiskLevelField } from '../strategies/strategy.view';

/** A category of strategies. */
export const InvestmentCategory = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    strategiesCount: z.int().describe('Strategies in it, of any status.'),
    riskLevelRange: z
      .object({
        min: RiskLevelField.describe('The lowest risk of its strategies.'),
        max: RiskLevelField.describe('The highest risk of its strategies.'),
      })
      .meta({ description: 'From LOW to HIGH while there is no strategy in it.' }),
    returnRange: z
      .object({
        min: z.number().describe('The lowest annual rate, in percent.'),
        max: z.number().describe('The highest annual rate, in percent.'),
      })
      .meta({
        description: 'The lowest and the highest annual rate, in percent; 0 to 0 without strategies.',
      }),
    isActive: z.boolean().describe('Always true: inactive ones are shown to administrators only.'),
  })
  .meta({ id: 'InvestmentCategory' });

/** The answer of the endpoints that list categories. */
export const InvestmentCategories = z.object({
  categories: z.array(InvestmentCategory).describe('Categories of strategies, by name.'),
});

/** The view of a category. */
export function investmentCategoryView({
  riskLevels,
  returnMinBp,
  returnMaxBp,
  ...category
}: ShownCategoryRow): z.input<typeof InvestmentCategory> {
  const occurring = RISK_LEVELS.filter((level) => riskLevels.includes(level));
  return {
    ...category,
    riskLevelRange: { min: occurring.at(0) ?? 'LOW', max: occurring.at(-1) ?? 'HIGH' },
    returnRange: { min: percent(returnMinBp ?? 0), max: percent(returnMaxBp ?? 0) },
  };
}

/** The answer of the endpoints that list categories, and what makes it stale. */
export async function answerCategories({
  db,
  reply,
}: Pick<Context, 'db' | 'reply'>): Promise<z.input<typeof InvestmentCategories>> {
  const categories = await shownCategories(db);
  reply.dependsOn(catalogueTags.strategies);
  return { categories: categories.map(investmentCategoryView) };
}
