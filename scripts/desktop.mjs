// A panel and notifications in the session of the demo: Xfce's, so that there are pictures of the tray's menu and of a message.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnPath, projectDir, say } from './setup/common.mjs';

/** Of the packages xfce4-panel, xfce4-notifyd and xdotool. */
const programs = ['xfce4-panel', 'xfce4-notifyd-config', 'xdotool'];

/** Says what to install where that is missing. */
export function hasDesktop() {
  if (programs.every(isOnPath)) return true;
  say(
    'the tray’s menu and the message of an alert are left out: on Linux the packages xfce4-panel, xfce4-notifyd and xdotool show them',
  );
  return false;
}

/** The tray at the left end of a panel across the top. */
const panel = `
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=2;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>`;

/** At the bottom right, for ten minutes. */
const messages = `
  <property name="notify-location" type="uint" value="3"/>
  <property name="expire-timeout" type="int" value="600"/>`;

/** Finds the icon of a message. The runtime of the tests is called as its loader. */
const entry = `[Desktop Entry]
Type=Application
Name=Watchkeeper
Exec=true
Icon=${join(projectDir, 'resources', 'icon.png')}
`;

/** The bus itself starts what shows messages. @type {import('./session.mjs').Furnish} */
export async function furnish(env, serve) {
  const settings = join(env['XDG_CONFIG_HOME'] ?? '', 'xfce4', 'xfconf', 'xfce-perchannel-xml');
  const entries = join(env['XDG_DATA_HOME'] ?? '', 'applications');
  for (const folder of [settings, entries]) await mkdir(folder, { recursive: true });
  for (const [name, properties] of Object.entries({ 'xfce4-panel': panel, 'xfce4-notifyd': messages })) {
    const channel = `<channel name="${name}" version="1.0">${properties}\n</channel>\n`;
    await writeFile(join(settings, `${name}.xml`), channel);
  }
  for (const name of ['watchkeeper', 'watchkeeper-test-runtime-loader'])
    await writeFile(join(entries, `${name}.desktop`), entry);
  await serve('xfce4-panel', ['--disable-wm-check'], 'org.kde.StatusNotifierWatcher');
}
