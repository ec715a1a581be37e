/**
 * Histories as JSON, in the form that Temporal's other tools write. The SDK's own pair for this (`historyToJSON`,
 * `historyFromJSON`) breaks where npm gives each of its packages a copy of protobufjs: "type must be a Type".
 * So this takes the copy that belongs to the messages.
 */
const { createRequire } = require('node:module');

const fromSdk = createRequire(require.resolve('@temporalio/common'));
const fromMessages = createRequire(fromSdk.resolve('@temporalio/proto'));
const messages = fromSdk('@temporalio/proto');
const { patchProtobufRoot } = fromSdk('@temporalio/proto/lib/patch-protobuf-root');
const { fromJson, toJson } = fromMessages('protobufjs/ext/protojson');

const History = patchProtobufRoot(messages).lookupType('temporal.api.history.v1.History');

/** A history as `fetchHistory` answers it, as a plain object. */
const toPlain = (history) => toJson(History, messages.temporal.api.history.v1.History.fromObject(history));

/** A history for a replay, from such an object. */
const fromPlain = (plain) => fromJson(History, plain, { ignoreUnknownFields: true });

module.exports = { toPlain, fromPlain };
