import { defineProcess } from '../../kit/process';

/** The number of products whose popularity changed. */
export interface CataloguePopularityResult {
  changed: number;
}

/** Daily: sales older than POLICY_POPULARITY_DAYS stop counting for popularity. */
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
  /** True if there may be more. */
  full: boolean;
}

export interface CataloguePopularityActivities {
  /** Sets popularity to the units sold in the window that ends with the day of `at` (UTC), for one batch of products. */
  recountPopularity: (recount: { at: string }) => Promise<RecountedBatch>;
}
