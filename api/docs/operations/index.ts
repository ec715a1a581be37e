import type { Endpoint } from '../../http/endpoint';
import { administrationOperations } from './administration';
import { administrationOfGoodsOperations } from './administration-of-goods';
import { commerceOperations } from './commerce';
import { identityOperations } from './identity';
import { membershipOperations } from './partners/membership';
import { strategyOperations } from './strategies';
import { payoutOperations } from './payouts';
import { portfolioOperations } from './portfolio';
import { partnerOperations } from './partners/partners';
import { commissionOperations } from './partners/commissions';
import { poolOperations } from './partners/pools';
import { providerOperations } from './providers';
import { topUpOperations } from './top-ups';
import type { OperationWords } from './words';

export const OPERATIONS: OperationWords = {
  ...identityOperations,
  ...commerceOperations,
  ...administrationOfGoodsOperations,
  ...strategyOperations,
  ...administrationOperations,
  ...portfolioOperations,
  ...topUpOperations,
  ...partnerOperations,
  ...poolOperations,
  ...providerOperations,
  ...membershipOperations,
  ...commissionOperations,
  ...payoutOperations,
};

type Route = Pick<Endpoint, 'method' | 'path'>;

/** `POST /orders/:id/cancel`, as the tables of operations name it. */
export const routeOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** The operation id from the tables; for an endpoint that is missing there, its method and path in one word. */
export function operationId(endpoint: Route): string {
  const stated = OPERATIONS[routeOf(endpoint)]?.[0];
  if (stated !== undefined) return stated;
  const words = endpoint.path.split(/[/:-]+/);
  return endpoint.method + words.map(capitalised).join('');
}

/** The description of a successful answer. */
export function answerDescription(endpoint: Endpoint, status: number): string {
  const answer = OPERATIONS[routeOf(endpoint)]?.[1];
  return (typeof answer === 'object' ? answer[status] : answer) ?? endpoint.summary;
}

/** The description of an operation: that of its endpoint, or the one from the tables. */
export const operationDescription = (endpoint: Endpoint): string | undefined =>
  endpoint.description ?? OPERATIONS[routeOf(endpoint)]?.[2];

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
