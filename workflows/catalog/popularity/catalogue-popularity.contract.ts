import { defineProcess } from '../../kit/process';

/** How many products' popularity changed. */
export interface CataloguePopularityResult {
  changed: number;
}

/** Once a day: sales that are too long ago (POLICY_POPULARITY_DAYS) stop counting for popularity. */
export const cataloguePopularityProcess = defineProcess<Record<string, never>, CataloguePopularityResult>({
  type: 'cataloguePopularity',
  queue: 'batch',
  area: 'catalog',
  id: () => 'catalogue-popularity',
  entityId: () => 'catalogue-popularity',
  summary: () => 'Popularity of products by their recent sales',
});

export interface RecountedBatch {
  changed: number;
  /** Whether there may be more. */
  full: boolean;
}

export interface CataloguePopularityActivities {
  /** Makes popularity the units sold in the days that end with the day of `at` (UTC), for one batch of products. */
  recountPopularity: (recount: { at: string }) => Promise<RecountedBatch>;
}
