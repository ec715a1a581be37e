import { z } from 'zod';

const PLACE = '{trackingNumber}';

/** The address of a parcel's page at its carrier, with a place for the parcel's number after the host's name. */
export const trackingUrlTemplate = () =>
  z
    .string()
    .trim()
    .max(500)
    .refine(isTemplate, `must be an https address with ${PLACE} in its path or query`)
    .meta({
      description: `An https address with ${PLACE} in its path or query, once.`,
      pattern: '^https://[^/{}\\s]+/[^{}\\s]*\\{trackingNumber\\}[^{}\\s]*$',
      example: 'https://parcel-post.example.com/track/{trackingNumber}',
    });

function isTemplate(template: string): boolean {
  const [before = '', after, ...more] = template.split(PLACE);
  if (after === undefined || more.length > 0 || /[{}\s]/.test(before + after)) return false;
  // A path must have begun: a number that continued the host's name would lead anywhere.
  return /^https:\/\/[^/?#]+\//.test(before) && URL.canParse(`${before}1${after}`);
}
