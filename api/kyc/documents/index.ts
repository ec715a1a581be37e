import { uploadKycDocument } from './upload';

export const kycDocumentEndpoints = [uploadKycDocument];
