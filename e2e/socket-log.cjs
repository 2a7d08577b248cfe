// Loaded into the main process before the app, when a test asks for it: keeps where Node connects to, or would look up.
'use strict';

const { Socket } = require('node:net');

const asked = new Set();
Object.assign(globalThis, { socketLog: () => [...asked] });

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  // Node's own callers give a list with the options first.
  const [options] = args.flat();
  if (options.port !== undefined) asked.add(`${options.host ?? 'localhost'}:${options.port}`);
  return Reflect.apply(connect, this, args);
};
