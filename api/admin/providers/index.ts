import { changeProviderEndpoint } from './change';
import { createProviderEndpoint } from './create';
import { listProvidersEndpoint } from './list';
import { enterProviderPaymentEndpoint } from './payments/enter';
import { listProviderPaymentsEndpoint } from './payments/list';
import { rotateProviderSecret } from './rotate-secret';
import { showProvider } from './show';

export const adminProviderEndpoints = [
  listProvidersEndpoint,
  createProviderEndpoint,
  showProvider,
  changeProviderEndpoint,
  rotateProviderSecret,
  listProviderPaymentsEndpoint,
  enterProviderPaymentEndpoint,
];
