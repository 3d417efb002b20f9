// JobEngineTests
