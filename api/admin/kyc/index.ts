import { allowResubmission } from './decisions/allow-resubmission';
import { approveVerificationEndpoint } from './decisions/approve';
import { claimVerificationEndpoint } from './decisions/claim';
import { rejectVerificationEndpoint } from './decisions/reject';
import { releaseVerificationEndpoint } from './decisions/release';
import { requestInformationEndpoint } from './decisions/request-info';
import { showDocumentFile } from './documents/file';
import { showDocumentThumbnail } from './documents/thumbnail';
import { listKycQueue } from './queue/list';
import { showVerification } from './show';

/** The queue before `:id`, so that it is not taken for one. */
export const adminKycEndpoints = [
  listKycQueue,
  showVerification,
  showDocumentFile,
  showDocumentThumbnail,
  claimVerificationEndpoint,
  releaseVerificationEndpoint,
  requestInformationEndpoint,
  approveVerificationEndpoint,
  rejectVerificationEndpoint,
  allowResubmission,
];
