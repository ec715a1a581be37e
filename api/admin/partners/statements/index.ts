import { exportPartnerStatement } from './export';
import { showPartnerStatement } from './show';

export const partnerStatementEndpoints = [showPartnerStatement, exportPartnerStatement];
