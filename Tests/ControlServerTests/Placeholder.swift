// ControlServerTests
