import { beginExternalSignIn } from './begin';
import { endExternalSignIn } from './callback';

export const externalEndpoints = [beginExternalSignIn, endExternalSignIn];
