import { contextBridge, ipcRenderer } from 'electron';
import { callChannel, eventChannel } from '../shared/ipc/channels.ts';
import type { Bridge } from '../shared/ipc/contract.ts';

const bridge: Bridge = {
  invoke: (channel, args) => ipcRenderer.invoke(callChannel(channel), args),
  listen(channel, listener) {
    // The event object stays here: it would give the page a handle on ipcRenderer.
    const relay = (_event: unknown, payloads: string) => listener(payloads);
    ipcRenderer.on(eventChannel(channel), relay);
    return () => {
      ipcRenderer.removeListener(eventChannel(channel), relay);
    };
  },
};

contextBridge.exposeInMainWorld('watchkeeper', bridge);
