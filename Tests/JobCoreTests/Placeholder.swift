// JobCoreTests
