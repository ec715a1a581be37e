import { heldDocuments } from '../../../db/kyc/document/held-document.reads';
import { kycHistory } from '../../../db/kyc/history/history.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { KycDetail, kycDetailView } from './kyc-detail.view';
import { recordOpening } from './open.command';
import { duplicateSignals } from './signals/duplicates';
import { openedProviderReports } from '../../kyc/provider-report.view';
import { openedPersonalInfo, openedRequest, withFileNames, withNotes } from '../../kyc/opened';
import { oneVerification, verificationOfAnother } from './verification';

const MOST_EVENTS = 200;
/** The most reports of providers. */
const MOST_REPORTS = 20;

export const showVerification = endpoint({
  id: 'getVerification',
  returns: 'The verification, its documents, signals and history',
  method: 'get',
  path: '/admin/kyc/:id',
  summary: 'Show a verification',
  description: `With the newest ${MOST_EVENTS} events of its history by its user, and as many by others, and the newest ${MOST_REPORTS} reports of providers on its user. Each opening is in the audit log. Nobody opens their own.`,
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVerification(),
  success: 200,
  data: KycDetail,
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id } }, context) {
    const { caller, db, identity } = context;
    const verification = await verificationOfAnother(db, id, caller.id);
    const [documents, history] = await Promise.all([heldDocuments(db, id), kycHistory(db, id, MOST_EVENTS)]);
    const personalInfo = openedPersonalInfo(verification, context);
    const duplicates = await duplicateSignals(db, identity.sealing, {
      verification,
      personalInfo,
      documents,
    });
    const providerReports = await openedProviderReports(verification.user.id, MOST_REPORTS, context);
    await recordOpening(db, verification, actorOf(context));
    return kycDetailView(
      verification,
      {
        documents: withFileNames(documents, context),
        history: withNotes(history, verification.userId, context),
        requested: verification.status === 'NEEDS_INFO' ? openedRequest(verification, context) : null,
        ...{ personalInfo, duplicates, providerReports },
      },
      identity.settings.PUBLIC_URL,
    );
  },
});
