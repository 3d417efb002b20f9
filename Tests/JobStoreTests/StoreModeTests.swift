import Glibc
import TestSupport
import Testing

@testable import JobStore

struct StoreModeTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("facefetch.sqlite") }

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func theStoreAndItsLogAreForTheirOwnerAlone() throws {
        let store = try JobStore(path: path)
        #expect(mode(path) == 0o600)
        #expect(mode(path + "-wal") == 0o600)
        #expect(mode(path + "-shm") == 0o600)
        try store.close()
    }

    @Test func aStoreThatOthersCouldReadIsClosedToThem() throws {
        try JobStore(path: path).close()
        #expect(chmod(path, 0o644) == 0)
        try JobStore(path: path).close()
        #expect(mode(path) == 0o600)
    }
}
