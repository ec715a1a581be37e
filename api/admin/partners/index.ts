import { listPartners } from './list';
import { showPartnerNetwork } from './network';
import { showPartner } from './show';

export const adminPartnerEndpoints = [listPartners, showPartner, showPartnerNetwork];
