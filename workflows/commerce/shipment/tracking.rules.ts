/** The events of a parcel on its way. */
export const TRACKING_STATUSES = ['SHIPPED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY', 'DELIVERED'] as const;
export type TrackingStatus = (typeof TRACKING_STATUSES)[number];

/** The place for the parcel's number in a carrier's template. */
const PLACE = '{trackingNumber}';

/**
 * The page of a parcel: the one set by an administrator, else the carrier's template with the number in its place. Null
 * without both.
 */
export function trackingUrlOf(parcel: {
  trackingUrl: string | null;
  trackingNumber: string | null;
  template: string | null;
}): string | null {
  const { trackingUrl, trackingNumber, template } = parcel;
  if (trackingUrl !== null || trackingNumber === null || template === null) return trackingUrl;
  return template.replaceAll(PLACE, () => encodeURIComponent(trackingNumber));
}
