import Dispatch
import DocumentStore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import facefetchd

@Suite("Thumbnails that detectors make in passing")
struct ThumbnailsTests {
    private static let sha256 = String(repeating: "a", count: 64)
    private static let hashed = FileMark(inode: 1, length: 2, modified: 3, changed: 4)
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0, 0xFF, 0xD9]

    @Test(
        "are kept of the file that was hashed alone, and detectors don't wait for its disk",
        arguments: [hashed, FileMark(inode: 1, length: 2, modified: 3, changed: 5), nil],
        [false, true]
    )
    func kept(_ found: FileMark?, wasEvicted: Bool) async throws {
        let directory = try TemporaryDirectory()
        let cache = PictureCache(
            directory: directory.path("pictures"),
            limits: .init(budget: 1 << 20, reserve: 0)
        )
        let disk = DispatchSemaphore(value: 0)
        let thumbnails = Thumbnails(
            cache: cache,
            mark: { _ in
                disk.wait()
                return found
            },
            wasEvicted: { $0 == JobID(rawValue: 1) && wasEvicted }
        )
        var request = DetectionRequest(job: JobID(rawValue: 1), path: "/a.jpg")
        (request.sha256, request.mark) = (Self.sha256, Self.hashed)
        thumbnails.keep(Self.jpeg, of: request)
        // The disk answers only now.
        disk.signal()
        await cache.settle()
        let isKept = await cache.picture(Self.sha256, .thumb) != nil
        // A file that the daemon has removed was the right one; who else has removed one may have changed it before.
        #expect(isKept == (found == Self.hashed || found == nil && wasEvicted))
    }
}
