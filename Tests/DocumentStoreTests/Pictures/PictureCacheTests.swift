import DocumentStore
import Foundation
import JobModel
import TestSupport
import Testing

/// Pictures on the disk: what is kept is what comes back, or nothing.
struct PictureCacheTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("cache/pictures") }

    init() throws { directory = try TemporaryDirectory() }

    private func cache(_ budget: Int64 = 1 << 30, reserve: Int64 = 0) -> PictureCache {
        PictureCache(directory: path, limits: .init(budget: budget, reserve: reserve))
    }

    private func sha(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    private func jpeg(_ length: Int, _ seed: UInt8 = 1) -> [UInt8] {
        [0xFF, 0xD8, 0xFF] + (0..<length - 5).map { UInt8(truncatingIfNeeded: $0) &* seed } + [0xFF, 0xD9]
    }

    private func file(_ number: Int, _ size: PictureSize = .thumb) -> String {
        "\(path)/\(sha(number).prefix(2))/\(sha(number))-\(size.rawValue).jpg"
    }

    private func files() -> [String] {
        let found = FileManager.default.subpaths(atPath: path) ?? []
        return found.filter { $0.contains("/") }.sorted()
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    @Test("What was kept comes back, also in another run, and is for nobody else to read")
    func kept() async throws {
        let first = cache()
        #expect(await first.picture(sha(1), .thumb) == nil)
        first.keep(jpeg(1000), sha(1), .thumb)
        first.keep(jpeg(2000), sha(1), .medium)
        await first.settle()
        let second = cache()
        #expect(await second.picture(sha(1), .thumb) == jpeg(1000))
        #expect(await second.picture(sha(1), .medium) == jpeg(2000))
        #expect(await second.picture(sha(1), .large) == nil)
        #expect(await second.picture(sha(2), .thumb) == nil)
        #expect(try mode(file(1)) == 0o600)
        #expect(try mode(path) == 0o700)
        #expect(files().count == 2)
    }

    @Test("Nobody waits for the disk that is asked whether a picture is still right")
    func asked() async throws {
        let cache = cache()
        let disk = DispatchSemaphore(value: 0)
        cache.keep(jpeg(400), sha(1), .thumb) {
            disk.wait()
            return true
        }
        cache.keep(jpeg(400), sha(2), .thumb) { false }
        // The disk answers only now that both have returned.
        disk.signal()
        await cache.settle()
        #expect(files() == ["00/\(sha(1))-thumb.jpg"])
    }

    @Test("Removing takes all sizes of a document's pictures, also those that are yet to be written")
    func removed() async throws {
        let cache = cache(2500)
        for size in PictureSize.allCases { cache.keep(jpeg(400), sha(1), size) }
        cache.keep(jpeg(400), sha(2), .thumb)
        cache.remove([sha(1), sha(3), "nonsense"])
        await cache.settle()
        #expect(files() == ["\(sha(2).prefix(2))/\(sha(2))-thumb.jpg"])
        // What is gone takes no room from what comes.
        for number in 4...7 { cache.keep(jpeg(400), sha(number), .thumb) }
        await cache.settle()
        #expect(files().count == 5)
    }

    @Test("A damaged file, one of other bytes, and one under another's name are never served, and go")
    func damaged() async throws {
        let cache = cache()
        for number in 1...5 { cache.keep(jpeg(1000, UInt8(number)), sha(number), .thumb) }
        await cache.settle()
        var bytes = try Data(contentsOf: URL(filePath: file(1)))
        bytes[500] ^= 1
        try bytes.write(to: URL(filePath: file(1)))
        try Data(try Data(contentsOf: URL(filePath: file(2))).prefix(700)).write(to: URL(filePath: file(2)))
        try Data().write(to: URL(filePath: file(3)))
        try Data(jpeg(1000)).write(to: URL(filePath: file(4)))
        for number in 1...4 { #expect(await cache.picture(sha(number), .thumb) == nil) }
        try FileManager.default.copyItem(atPath: file(5), toPath: file(6))
        try FileManager.default.copyItem(atPath: file(5), toPath: file(5, .medium))
        #expect(await cache.picture(sha(6), .thumb) == nil)
        #expect(await cache.picture(sha(5), .medium) == nil)
        #expect(await cache.picture(sha(5), .thumb) == jpeg(1000, 5))
        // An empty file is no bother; the next picture takes its place.
        #expect(files().filter { !$0.contains(sha(3)) } == ["00/\(sha(5))-thumb.jpg"])
        cache.keep(jpeg(900), sha(3), .thumb)
        await cache.settle()
        #expect(await cache.picture(sha(3), .thumb) == jpeg(900))
    }

    @Test("Links, directories and pipes in a picture's place are not followed, opened or waited for")
    func foreign() async throws {
        let cache = cache()
        cache.keep(jpeg(100), sha(1), .thumb)
        await cache.settle()
        try FileManager.default.createSymbolicLink(atPath: file(2), withDestinationPath: file(1))
        try FileManager.default.createDirectory(atPath: file(3), withIntermediateDirectories: true)
        #expect(mkfifo(file(4), 0o600) == 0)
        for number in 2...4 { #expect(await cache.picture(sha(number), .thumb) == nil) }
    }

    @Test("It stays within its budget; previews make room before thumbnails")
    func budget() async throws {
        let cache = cache(10_000)
        cache.keep(jpeg(3000), sha(100), .large)
        for number in 1...9 {
            cache.keep(jpeg(900), sha(number), .thumb)
            await cache.settle()
        }
        #expect(await cache.picture(sha(100), .large) == nil)
        for number in 1...9 { #expect(await cache.picture(sha(number), .thumb) != nil) }
        for number in 10...30 {
            cache.keep(jpeg(900), sha(number), .thumb)
            await cache.settle()
            #expect(files().count <= 10)
        }
        #expect(await cache.picture(sha(30), .thumb) != nil)
    }

    @Test("What an earlier run has left counts, and a smaller budget takes effect at once")
    func smaller() async throws {
        let first = cache()
        for number in 1...9 { first.keep(jpeg(968), sha(number), .thumb) }
        await first.settle()
        #expect(files().count == 9)
        let second = cache(5000)
        second.keep(jpeg(968), sha(10), .thumb)
        await second.settle()
        #expect(files().count == 4)
        second.configure(.init(budget: 0, reserve: 0))
        await second.settle()
        #expect(files().isEmpty && !second.isKeeping)
        second.keep(jpeg(968), sha(11), .thumb)
        await second.settle()
        #expect(files().isEmpty)
    }

    @Test("Nothing is written that would leave less free than is to be left")
    func reserve() async throws {
        let cache = cache(reserve: .max)
        cache.keep(jpeg(1000), sha(1), .thumb)
        await cache.settle()
        #expect(files().isEmpty)
    }

    @Test("It may be deleted at any time, and goes on")
    func deleted() async throws {
        let cache = cache()
        cache.keep(jpeg(1000), sha(1), .thumb)
        await cache.settle()
        try FileManager.default.removeItem(atPath: directory.path("cache"))
        #expect(await cache.picture(sha(1), .thumb) == nil)
        cache.keep(jpeg(1000), sha(1), .thumb)
        await cache.settle()
        #expect(await cache.picture(sha(1), .thumb) == jpeg(1000))
    }

    @Test("What a crash has left half-written is removed after an hour; other people's files stay")
    func leftovers() async throws {
        let first = cache()
        first.keep(jpeg(100), sha(1), .thumb)
        await first.settle()
        for name in [".unfinished-1", ".unfinished-2", "notes.txt", "\(sha(7))-huge.jpg"] {
            try Data([1]).write(to: URL(filePath: "\(path)/00/\(name)"))
        }
        let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -4000)]
        for name in [".unfinished-1", "notes.txt"] {
            try FileManager.default.setAttributes(old, ofItemAtPath: "\(path)/00/\(name)")
        }
        let second = cache(1)
        second.keep(jpeg(100), sha(2), .thumb)
        await second.settle()
        #expect(files() == ["00/.unfinished-2", "00/\(sha(7))-huge.jpg", "00/notes.txt"])
    }

    @Test(
        "What is no SHA-256 names no file",
        arguments: ["", "../../etc/passwd", String(repeating: "A", count: 64)]
    )
    func names(sha256: String) async throws {
        let cache = cache()
        cache.keep(jpeg(100), sha256, .thumb)
        await cache.settle()
        #expect(await cache.picture(sha256, .thumb) == nil)
        #expect(files().isEmpty)
    }
}
