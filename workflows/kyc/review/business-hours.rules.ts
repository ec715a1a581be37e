import { DAY_MS, HOUR_MS } from '../../kit/values/durations.rules';

/** The part of Monday to Friday in which reviews are due, in hours of UTC. */
export interface BusinessDay {
  startHour: number;
  endHour: number;
}

const isWorkingDay = (midnight: number): boolean => ![0, 6].includes(new Date(midnight).getUTCDay());

/**
 * The time when so many business hours have passed since `from`. What ends exactly with a day ends on that day, not on
 * the next morning; no hours at all change nothing.
 */
export function addBusinessHours(from: Date, hours: number, { startHour, endHour }: BusinessDay): Date {
  let leftMs = hours * HOUR_MS;
  if (leftMs <= 0) return from;
  for (let midnight = Math.floor(from.getTime() / DAY_MS) * DAY_MS; ; midnight += DAY_MS) {
    if (!isWorkingDay(midnight)) continue;
    const start = Math.max(from.getTime(), midnight + startHour * HOUR_MS);
    const openMs = midnight + endHour * HOUR_MS - start;
    if (openMs <= 0) continue;
    if (leftMs <= openMs) return new Date(start + leftMs);
    leftMs -= openMs;
  }
}
