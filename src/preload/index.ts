import { contextBridge, ipcRenderer } from 'electron';
import { eventChannels, invokeChannels } from '../shared/ipc/channels.ts';
import type { Bridge } from '../shared/ipc/contract.ts';

const allowedCalls: ReadonlySet<string> = new Set(invokeChannels);
const allowedEvents: ReadonlySet<string> = new Set(eventChannels);

const bridge: Bridge = {
  invoke(channel, args) {
    if (!allowedCalls.has(channel)) throw new Error('No such channel.');
    return ipcRenderer.invoke(channel, args);
  },
  listen(channel, listener) {
    if (!allowedEvents.has(channel)) throw new Error('No such channel.');
    // The event object stays here: it would give the page a handle on ipcRenderer.
    const relay = (_event: unknown, payloads: string) => listener(payloads);
    ipcRenderer.on(channel, relay);
    return () => {
      ipcRenderer.removeListener(channel, relay);
    };
  },
};

contextBridge.exposeInMainWorld('watchkeeper', bridge);
