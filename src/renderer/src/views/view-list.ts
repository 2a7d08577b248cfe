import Activity from '@lucide/svelte/icons/activity';
import Bell from '@lucide/svelte/icons/bell';
import Compass from '@lucide/svelte/icons/compass';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import Server from '@lucide/svelte/icons/server';
import Settings from '@lucide/svelte/icons/settings';
import type { ViewEntry } from '../features/shell/view-entry.ts';
import ActivityView from './ActivityView.svelte';
import AlertsView from './AlertsView.svelte';
import ExploreView from './ExploreView.svelte';
import NodesView from './NodesView.svelte';
import OverviewView from './OverviewView.svelte';
import SettingsView from './SettingsView.svelte';

/** All views in the order of the rail. A new view is a row here and its id in `ViewId`. */
export const viewList: readonly ViewEntry[] = [
  {
    id: 'overview',
    title: 'Overview',
    icon: LayoutDashboard,
    key: '1',
    place: 'main',
    component: OverviewView,
  },
  { id: 'activity', title: 'Activity', icon: Activity, key: '2', place: 'main', component: ActivityView },
  { id: 'nodes', title: 'Nodes', icon: Server, key: '3', place: 'main', component: NodesView },
  { id: 'explore', title: 'Explore', icon: Compass, key: '4', place: 'main', component: ExploreView },
  { id: 'alerts', title: 'Alerts', icon: Bell, key: '5', place: 'main', component: AlertsView },
  { id: 'settings', title: 'Settings', icon: Settings, key: ',', place: 'bottom', component: SettingsView },
];
