/**
 * Histories as JSON, in the form that Temporal's other tools write. The SDK's own pair for this (`historyToJSON`,
 * `historyFromJSON`) breaks where npm gives each of its packages a copy of protobufjs: "type must be a Type".
 * So the copy is taken that belongs to the messages themselves.
 */
const { createRequire } = require('node:module');

const besideSdk = createRequire(require.resolve('@temporalio/common'));
const besideMessages = createRequire(besideSdk.resolve('@temporalio/proto'));
const messages = besideSdk('@temporalio/proto');
const { patchProtobufRoot } = besideSdk('@temporalio/proto/lib/patch-protobuf-root');
const { fromJson, toJson } = besideMessages('protobufjs/ext/protojson');

const History = patchProtobufRoot(messages).lookupType('temporal.api.history.v1.History');

/** What `fetchHistory` gave, as a plain object. */
const toPlain = (history) => toJson(History, messages.temporal.api.history.v1.History.fromObject(history));

/** What replay takes, from such an object. */
const fromPlain = (plain) => fromJson(History, plain, { ignoreUnknownFields: true });

module.exports = { toPlain, fromPlain };
