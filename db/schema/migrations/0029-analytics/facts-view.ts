import {
  ofCommissions,
  ofEndedCommissions,
  ofEndedParticipations,
  ofEndedPayouts,
  ofInvestments,
  ofPaidOrders,
  ofOpenPayouts,
  ofPartnerStates,
  ofPartners,
  ofPayouts,
  ofRefundedCategories,
  ofRefunds,
  ofRestoredCommissions,
  ofSoldCategories,
  ofVerifications,
} from './facts';

/** Everything that figures are made of. */
export const VIEW = `
  CREATE VIEW analytics_facts AS
  ${[
    ofPaidOrders('domain_events'),
    ofSoldCategories('domain_events'),
    ofRefunds('domain_events'),
    ofRefundedCategories('domain_events'),
    ofVerifications('domain_events'),
    ofInvestments('investment_transactions'),
    ofEndedParticipations('participations'),
    ofPartners('partners'),
    ofPartnerStates('partner_state_changes'),
    ofCommissions('partner_commissions'),
    ofEndedCommissions('partner_commissions'),
    ofRestoredCommissions('partner_commission_restorals'),
    ofPayouts('payouts'),
    ofEndedPayouts('payouts'),
    ofOpenPayouts('payouts'),
  ].join('\n  UNION ALL')}`;
