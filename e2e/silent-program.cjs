// Loaded into the app before its own code: in place of the program that makes the sample data, the app starts this file,
// which never answers.
const { utilityProcess } = require('electron');

if (process.type === 'browser') {
  const { fork } = utilityProcess;
  utilityProcess.fork = (_file, ...others) => fork.call(utilityProcess, __filename, ...others);
} else {
  process.parentPort.on('message', () => undefined);
}
