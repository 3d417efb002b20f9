// ControlAPITests
