// DetectorPoolTests
