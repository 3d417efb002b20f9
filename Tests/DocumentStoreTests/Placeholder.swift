// DocumentStoreTests
