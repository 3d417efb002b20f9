// DetectorProtocol
