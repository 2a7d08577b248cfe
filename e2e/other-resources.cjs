// Loaded into the main process before the app, when a test asks for it: what is packed beside the app is looked for in a
// folder of the test.
'use strict';

Object.defineProperty(process, 'resourcesPath', { value: process.env['OTHER_RESOURCES'] });
