import { listTaxRatesEndpoint } from './list';
import { removeTaxRateEndpoint } from './remove';
import { setTaxRateEndpoint } from './set';

export const adminTaxRateEndpoints = [listTaxRatesEndpoint, setTaxRateEndpoint, removeTaxRateEndpoint];
