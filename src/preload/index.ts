import { contextBridge, ipcRenderer } from 'electron';
import { callChannel, eventsChannel } from '../shared/ipc/channels.ts';
import type { Bridge } from '../shared/ipc/contract.ts';

const bridge: Bridge = {
  invoke: (channel, args) => ipcRenderer.invoke(callChannel(channel), args),
  listen(listener) {
    // The event object stays here: it would give the page a handle on ipcRenderer.
    const relay = (_event: unknown, events: string) => listener(events);
    ipcRenderer.on(eventsChannel, relay);
    return () => {
      ipcRenderer.removeListener(eventsChannel, relay);
    };
  },
};

contextBridge.exposeInMainWorld('watchkeeper', bridge);
