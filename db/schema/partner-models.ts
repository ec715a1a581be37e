import { AnalyticsChange } from '../administration/analytics/analytics-change.model';
import { AnalyticsRollup } from '../administration/analytics/analytics-rollup.model';
import { CustomerFirstOrder } from '../administration/analytics/customer-first-order.model';
import { DomainEvent } from '../administration/domain-event/domain-event.model';
import { EventDelivery } from '../administration/domain-event/event-delivery.model';
import { Commission } from '../partners/commission/commission.model';
import { PartnerSale } from '../partners/commission/partner-sale.model';
import { PartnerLinkClick } from '../partners/link/partner-link-click.model';
import { PartnerLinkDay } from '../partners/link/partner-link-day.model';
import { PartnerLink } from '../partners/link/partner-link.model';
import { ReferralTouch } from '../partners/link/referral-touch.model';
import { PartnerEntrance } from '../partners/membership/partner-entrance.model';
import { Partner } from '../partners/membership/partner.model';
import { PartnerDescendant } from '../partners/network/partner-descendant.model';
import { PartnerLevel } from '../partners/network/partner-level.model';
import { PartnerMonth } from '../partners/network/partner-month.model';
import { PartnerStanding } from '../partners/network/partner-standing.model';
import { PoolRun } from '../partners/pool/pool-run.model';
import { PoolShare } from '../partners/pool/pool-share.model';
import { PartnerProgramme } from '../partners/programme/partner-programme.model';
import { PartnerRank } from '../partners/programme/partner-rank.model';
import { PartnerStateChange } from '../partners/rank/partner-state-change.model';
import { RankChange } from '../partners/rank/rank-change.model';

/** The models of the partner programme. */
export const partnerModels = [
  Commission,
  Partner,
  PartnerDescendant,
  PartnerEntrance,
  PartnerLevel,
  PartnerLink,
  PartnerLinkClick,
  PartnerLinkDay,
  PartnerMonth,
  PartnerProgramme,
  PartnerRank,
  PartnerSale,
  PartnerStanding,
  PartnerStateChange,
  PoolRun,
  PoolShare,
  RankChange,
  ReferralTouch,
];

/** The models of figures. */
export const analyticsModels = [AnalyticsChange, AnalyticsRollup, CustomerFirstOrder];

/** The models of events and their consumers. */
export const eventModels = [DomainEvent, EventDelivery];
