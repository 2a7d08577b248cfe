// Loaded into the main process before the app, when a test asks for it: the app takes itself for an installed one.
'use strict';

Object.defineProperty(require('electron').app, 'isPackaged', { value: true });
