import { activityInfo } from '@temporalio/activity';
import { park } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import type { ParkingActivities } from '../../../workflows/kit/parking.contract';
import { unparkProcess } from './unpark-process';

export const parkingActivities = ({ db }: { db: Db }): ParkingActivities => ({
  park: (parked) => park(db, { ...parked, runId: ownRun() }),
  unpark: (command) => unparkProcess(db, command, ownRun()),
});

/** The run of the process whose step this is. */
function ownRun(): string {
  const { workflowExecution } = activityInfo();
  if (!workflowExecution) throw new Error('Only a process can wait for a person.');
  return workflowExecution.runId;
}
