import type { StatementPage, StatementPageRequest, ProviderStatement } from '../../../statements/port';
import { connectStripe, type StripeClient, type StripeSettings } from '../client';
import { movementsOf, StripeTransaction } from './transaction';

/** The most that Stripe lists on a page. */
const PAGE = 100;

/** Stripe's statement: the balance transactions of our account, the newest first, each with the object that it is about. */
export function stripeStatement(settings: Pick<StripeSettings, 'secretKey' | 'apiBase'>): ProviderStatement {
  let connected: Promise<StripeClient> | undefined;
  return {
    code: 'stripe',
    listMovements: async (request) => page(await (connected ??= connectStripe(settings)), request),
  };
}

async function page(
  stripe: StripeClient,
  { from, to, cursor }: StatementPageRequest,
): Promise<StatementPage> {
  const { data, has_more: hasMore } = await stripe.balanceTransactions.list({
    created: { gte: seconds(from), lt: seconds(to) },
    limit: PAGE,
    expand: ['data.source'],
    ...(cursor !== null && { starting_after: cursor }),
  });
  const transactions = data.map((found) => StripeTransaction.parse(found));
  const last = transactions.at(-1)?.id ?? null;
  // Taken for the end, it would make a part of the day the whole one; taken on trust, it would be read for ever.
  if (hasMore && (last === null || last === cursor))
    throw new Error('Stripe says that its statement goes on, and not where.');
  return { movements: transactions.flatMap(movementsOf), cursor: hasMore ? last : null };
}

const seconds = (at: Date): number => Math.ceil(at.getTime() / 1_000);
