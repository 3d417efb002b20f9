// JobStoreTests
