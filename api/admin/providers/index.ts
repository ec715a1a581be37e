import { changeProviderEndpoint } from './change';
import { createProvider } from './create';
import { listProvidersEndpoint } from './list';
import { enterProviderPaymentEndpoint } from './payments/enter';
import { listProviderPaymentsEndpoint } from './payments/list';
import { rotateProviderSecret } from './rotate-secret';
import { showProvider } from './show';
import { listProviderWriteOffsEndpoint } from './write-offs/list';
import { writeOffProviderDebt } from './write-offs/write-off';

export const adminProviderEndpoints = [
  listProvidersEndpoint,
  createProvider,
  showProvider,
  changeProviderEndpoint,
  rotateProviderSecret,
  listProviderPaymentsEndpoint,
  enterProviderPaymentEndpoint,
  listProviderWriteOffsEndpoint,
  writeOffProviderDebt,
];
