import { DAY_MS, MINUTE_MS } from '../../kit/values/durations.rules';

const WEEK_MS = 7 * DAY_MS;

/** The calendar of a time zone. Days are texts like 2026-01-31. */
export interface ZonedCalendar {
  /** The day of an instant. */
  dayOf: (instant: Date) => string;
  /** The first instant of a day; of a day that the zone left out, the first after it. */
  startOf: (day: string) => Date;
}

/** The calendar of an IANA time zone. Throws RangeError for a zone that is unknown. */
export function zonedCalendar(timeZone: string): ZonedCalendar {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });

  /** The local time of an instant less the instant, as the format says it, which takes long. */
  function exactOffset(instant: number): number {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  }

  const offsets = new Map<number, number>();
  function offsetAtWeek(week: number): number {
    const offset = offsets.get(week) ?? exactOffset(week * WEEK_MS);
    offsets.set(week, offset);
    return offset;
  }

  /** No zone has changed its clocks and changed them back within a week. */
  function localOf(instant: number): number {
    const week = Math.floor(instant / WEEK_MS);
    const offset = offsetAtWeek(week);
    return instant + (offset === offsetAtWeek(week + 1) ? offset : exactOffset(instant));
  }

  const dayOf = (instant: number): string => new Date(localOf(instant)).toISOString().slice(0, 10);

  /** With a change of the offset near, one of the two offsets may give an instant of the day before. */
  function startOf(day: string): Date {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const [before, after] = [midnight - DAY_MS, midnight + DAY_MS].map(
      (instant) => midnight - (localOf(instant) - instant),
    ) as [number, number];
    if (before === after) return new Date(before);
    const [earlier, later] = before < after ? [before, after] : [after, before];
    return new Date(dayOf(earlier) >= day ? earlier : later);
  }

  return { dayOf: (instant) => dayOf(instant.getTime()), startOf };
}
