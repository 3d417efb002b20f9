// ControlServer
