import { z } from 'zod';
import { text } from '../../../http/request/fields';

/** Why a membership is suspended or ended, or a rank is set. */
export const membershipReason = () =>
  text({ min: 1, max: 500 }).meta({ example: 'Misleading promises to customers.' });

export const notifyPartner = () =>
  z.boolean().nullish().meta({ description: 'True informs the partner by email; left out: no email.' });

/** The end of the descriptions of decisions. */
export const NOT_OF_OWN_INTEREST =
  'An administrator who is a partner decides neither on the own membership nor on that of a partner below, and on none while the own rank takes part in the leadership pools.';
