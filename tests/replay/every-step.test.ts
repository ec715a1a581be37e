import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { possibleSteps, processes } from './process-code';
import { readRecorded, recordedPaths, type RecordedEvent } from './recorded';

const workflows = resolve(__dirname, '../../workflows');

/** The names of all patches in workflows/. */
const patches: string[] = readdirSync(workflows, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => [...readFileSync(join(workflows, path), 'utf8').matchAll(/\bpatched\('([^']+)'\)/g)])
  .map(([, name]) => name!);

interface Names {
  name: string;
}

/** The attributes of the events that name a step. */
interface Attributes {
  activityTaskScheduledEventAttributes?: { activityType: Names };
  markerRecordedEventAttributes?: {
    markerName: string;
    details: Partial<Record<'data' | 'patch-data', { payloads: [{ data: string }] }>>;
  };
  workflowExecutionUpdateAcceptedEventAttributes?: { acceptedRequest: { input: Names } };
  workflowExecutionSignaledEventAttributes?: { signalName: string };
  signalExternalWorkflowExecutionInitiatedEventAttributes?: { signalName: string };
  startChildWorkflowExecutionInitiatedEventAttributes?: { workflowType: Names };
  workflowExecutionContinuedAsNewEventAttributes?: object;
}

/** The step that an event shows, in the words of `possibleSteps`. */
function stepOf(event: RecordedEvent & Attributes): string | undefined {
  const activity = event.activityTaskScheduledEventAttributes?.activityType.name;
  if (activity !== undefined) return `activity ${activity}`;
  const local = localActivity(event);
  if (local !== undefined) return `local activity ${local}`;
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest.input.name;
  if (update !== undefined) return `update ${update}`;
  const signal = event.workflowExecutionSignaledEventAttributes?.signalName;
  if (signal !== undefined) return `signal ${signal}`;
  const sent = event.signalExternalWorkflowExecutionInitiatedEventAttributes?.signalName;
  if (sent !== undefined) return `sends ${sent}`;
  const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType.name;
  if (child !== undefined) return `starts ${child}`;
  return event.workflowExecutionContinuedAsNewEventAttributes && 'continues as new';
}

/** A local activity leaves a marker, which has its name in JSON. */
function localActivity({ markerRecordedEventAttributes: marker }: Attributes): string | undefined {
  if (marker?.markerName !== 'core_local_activity') return undefined;
  return jsonOf<{ activity_type: string }>(marker.details.data!).activity_type;
}

/** The name of the patch whose new way an event shows. */
function patchOf({ markerRecordedEventAttributes: marker }: RecordedEvent & Attributes): string | undefined {
  if (marker?.markerName !== 'core_patch') return undefined;
  return jsonOf<{ id: string }>(marker.details['patch-data']!).id;
}

const jsonOf = <Value>({ payloads: [{ data }] }: { payloads: [{ data: string }] }): Value =>
  JSON.parse(Buffer.from(data, 'base64').toString()) as Value;

const recordedSteps = (type: string): string[] =>
  recordedPaths
    .filter((path) => dirname(path) === type)
    .flatMap((path) => readRecorded(path).events.flatMap((event) => stepOf(event) ?? []));

describe.each(processes)('$type', (process) => {
  const possible = possibleSteps(process);
  const recorded = recordedSteps(process.type);

  test('every step of its code is in a recorded history', () => {
    expect(possible.filter((step) => !recorded.includes(step))).toEqual([]);
  });

  /** They still replay, so a step that is not found would be missed in the code. */
  test('every recorded step is found in its code', () => {
    expect(recorded.filter((step) => !possible.includes(step))).toEqual([]);
  });
});

test('the new way through every patch is in a recorded history', () => {
  const recorded = recordedPaths.flatMap((path) =>
    readRecorded(path).events.flatMap((event) => patchOf(event) ?? []),
  );
  expect([...new Set(recorded)].sort()).toEqual([...new Set(patches)].sort());
});
