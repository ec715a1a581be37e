/** Loaded before a program of ours: when it ends, writes down what it loaded and where it connected to. */
const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { join } = require('node:path');

const connections = new Set();
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  connections.add(String(options?.port ?? options));
  return connect.apply(this, args);
};

process.on('exit', () => {
  const seen = { modules: Object.keys(require.cache), connections: [...connections] };
  writeFileSync(join(process.env.SPY_DIR, `${process.pid}.json`), JSON.stringify(seen));
});
