/** What may happen to a parcel on its way. */
export const TRACKING_STATUSES = ['SHIPPED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY', 'DELIVERED'] as const;
export type TrackingStatus = (typeof TRACKING_STATUSES)[number];

/** Where a carrier's template has its place for the parcel's number. */
const PLACE = '{trackingNumber}';

/**
 * The page on which a parcel can be followed: what an administrator gave, else the carrier's template with the number
 * in its place. Null where nothing leads to one.
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
