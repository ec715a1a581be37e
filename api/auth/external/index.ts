import { beginExternalSignIn } from './begin';
import { endExternalSignIn } from './callback';
import { endPostedSignIn } from './posted-callback';

export const externalEndpoints = [beginExternalSignIn, endExternalSignIn, endPostedSignIn];
