import { createReferralLink } from './create';
import { listReferralLinks } from './list';
import { showReferralLinkStats } from './stats';

export const referralLinkEndpoints = [listReferralLinks, createReferralLink, showReferralLinkStats];
