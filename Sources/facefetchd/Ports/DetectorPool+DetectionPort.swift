import DetectorPool
import JobEngine

extension DetectorPool: DetectionPort {}
