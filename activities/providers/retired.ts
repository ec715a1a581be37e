import { BY_HAND } from '../../workflows/commerce/payout/transfer-out.rules';

/**
 * The codes of providers that are gone for good: what they were asked for is settled by the word of a person. Throws for our own bank
 * account, and for one that is set up here.
 */
export function retiredProviders(
  codes: readonly string[],
  setUp: ReadonlyMap<string, unknown>,
): ReadonlySet<string> {
  for (const code of codes)
    if (code === BY_HAND || setUp.has(code))
      throw new Error(
        `PROVIDERS_RETIRED names ${code}, which is set up here and can say what it has sent: leave it out.`,
      );
  return new Set(codes);
}
