; Added to the installer for Windows by electron-builder: what the app wrote at its start goes with it.
!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\watchkeeper"
!macroend
