import { violates } from '../../../../db/sql/errors';
import { refusal } from '../../../../workflows/errors';

/** Runs a transaction and refuses with SLUG_ALREADY_EXISTS when it writes a slug that another category has. */
export async function refusingTakenSlug<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'investment_categories_slug_key'))
      throw refusal('SLUG_ALREADY_EXISTS', 'A category with this slug already exists.');
    throw error;
  }
}
