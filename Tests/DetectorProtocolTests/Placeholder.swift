// DetectorProtocolTests
