import { z } from 'zod';

/** The field of a decision that names the submission which the reviewer has seen. */
export const seenSubmission = () =>
  z.iso.datetime({ offset: true }).nullish().meta({
    description:
      '`submittedAt` of the verification as you read it. NOT_REVIEWABLE if it was submitted again since. Left out, it is refused only if another reviewer asked for more since you opened it last, and you have not claimed it since.',
  });
