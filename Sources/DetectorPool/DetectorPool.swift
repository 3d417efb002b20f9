// DetectorPool
