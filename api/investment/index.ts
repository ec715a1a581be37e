import type { Endpoint } from '../http/endpoint';
import { listInvestmentCategories } from './categories/list';
import { participationEndpoints } from './participations';
import { listStrategyCategories } from './categories/list-categories';
import { listStrategiesEndpoint } from './strategies/list';
import { portfolioEndpoints } from './portfolio';
import { receiveProviderEvent } from './webhooks/receive';
import { showStrategy } from './strategies/show';
import { ssoRedirect } from './strategies/sso-redirect';

export const investmentEndpoints: readonly Endpoint[] = [
  listInvestmentCategories,
  listStrategyCategories,
  listStrategiesEndpoint,
  showStrategy,
  ...participationEndpoints,
  ...portfolioEndpoints,
  receiveProviderEvent,
  ssoRedirect,
];
