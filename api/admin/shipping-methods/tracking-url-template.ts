import { z } from 'zod';

const PLACEHOLDER = '{trackingNumber}';

/** The URL of the carrier's tracking page, with `{trackingNumber}` after the host. */
export const trackingUrlTemplate = () =>
  z
    .string()
    .trim()
    .max(500)
    .refine(isTemplate, `must be an https URL with ${PLACEHOLDER} in its path or query`)
    .meta({
      description: `An https address with ${PLACEHOLDER} in its path or query, once.`,
      pattern: '^https://[^/{}\\s]+/[^{}\\s]*\\{trackingNumber\\}[^{}\\s]*$',
      example: 'https://parcel-post.example.com/track/{trackingNumber}',
    });

function isTemplate(template: string): boolean {
  const [before = '', after, ...more] = template.split(PLACEHOLDER);
  if (after === undefined || more.length > 0 || /[{}\s]/.test(before + after)) return false;
  // The path must begin before the number, else the number could change the host.
  return /^https:\/\/[^/?#]+\//.test(before) && URL.canParse(`${before}1${after}`);
}
