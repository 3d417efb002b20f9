import Digests
import DocumentStore
import Foundation
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

/// The SHA-256 of a partial that was hashed while it grew is that of the file as it is.
struct PrefixHashesTests {
    private static let size = 20 << 20
    private static let bytes = OriginContent.bytes(seed: 7, count: size)
    private static let other = OriginContent.bytes(seed: 8, count: size)
    private let job = JobID(rawValue: 1)

    /// A store with one partial, and the one report that sealing it brings.
    private final class Fixture {
        let directory: TemporaryDirectory
        let store: DocumentStore
        private let reports: AsyncStream<StorageReport>

        init() throws {
            directory = try TemporaryDirectory()
            let (stream, tell) = AsyncStream<StorageReport>.makeStream()
            reports = stream
            store = try DocumentStore(
                stateDirectory: directory.path("state"),
                documentsDirectory: directory.path("documents")
            ) { for (_, report) in $0 { tell.yield(report) } }
        }

        deinit { store.shutdown() }

        func write(_ bytes: some Collection<UInt8>) throws {
            let path = directory.path("state/partial/1.part")
            if !FileManager.default.fileExists(atPath: path) {
                try directory.write([], to: "state/partial/1.part")
            }
            // In place, as a transfer that begins anew does.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(bytes))
            try file.close()
        }

        /// Publishes the partial, which must have been sealed, and has its document hashed.
        func hash(_ sealed: SealedPartial) async -> StorageReport? {
            let job = JobID(rawValue: 1)
            store.publish(job, Job.Reservation(name: "a.jpg", sealed: sealed), wantedName: "a.jpg")
            for await report in reports {
                guard case .published(let path, _) = report else { return report }
                let document = Document(path: path, length: sealed.length)
                // Once is enough.
                store.hash(job, document)
                store.hash(job, document)
                break
            }
            for await report in reports { return report }
            return nil
        }

        func sealed() async -> SealedPartial? {
            store.seal(JobID(rawValue: 1), wantedName: "a.jpg", mustHash: false)
            for await report in reports {
                if case .sealed(let sealed, _, _, _) = report { return sealed }
                return nil
            }
            return nil
        }

        func seal(mustHash: Bool = true) async -> String? {
            store.seal(JobID(rawValue: 1), wantedName: "a.jpg", mustHash: mustHash)
            for await report in reports {
                if case .sealed(let sealed, _, _, _) = report { return sealed.sha256 }
                return nil
            }
            return nil
        }
    }

    private func sha256(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }

    @Test("A partial that grew has the right hash, whatever was hashed of it so far")
    func grew() async throws {
        let fixture = try Fixture()
        try fixture.write(Self.bytes.prefix(12 << 20))
        fixture.store.partialBegins(job, at: 0)
        fixture.store.partialGrew(job, to: 9 << 20)
        fixture.store.partialGrew(job, to: 12 << 20)
        try fixture.write(Self.bytes)
        #expect(await fixture.seal() == sha256(Self.bytes))
    }

    @Test("A partial that began anew is hashed anew")
    func beganAnew() async throws {
        let fixture = try Fixture()
        try fixture.write(Self.bytes)
        fixture.store.partialGrew(job, to: Int64(Self.size))
        try fixture.write(Self.other)
        fixture.store.partialBegins(job, at: 0)
        fixture.store.partialGrew(job, to: 10 << 20)
        #expect(await fixture.seal() == sha256(Self.other))
    }

    @Test("One that goes on before where its hash has come to is hashed anew, one that goes on behind is not")
    func wentOn() async throws {
        for (place, isVoid) in [(Int64(5 << 20), true), (Int64(10 << 20), false)] {
            let fixture = try Fixture()
            try fixture.write(Self.bytes.prefix(10 << 20))
            fixture.store.partialGrew(job, to: 10 << 20)
            fixture.store.partialBegins(job, at: place)
            try fixture.write(Self.bytes.prefix(Int(place)) + Self.other.suffix(from: Int(place)))
            let whole = Array(Self.bytes.prefix(Int(place)) + Self.other.suffix(from: Int(place)))
            #expect(await fixture.seal() == sha256(whole), "void: \(isVoid)")
        }
    }

    @Test(
        "What is left to hash of a large file is hashed when it is a document",
        arguments: [0, 4 << 20, 10 << 20]
    )
    func hashedLater(followed: Int64) async throws {
        let fixture = try Fixture()
        try fixture.write(Self.bytes)
        if followed > 0 { fixture.store.partialGrew(job, to: followed) }
        let sealed = try #require(await fixture.sealed())
        #expect(sealed.sha256 == nil)
        #expect(await fixture.hash(sealed) == .hashed(sha256: sha256(Self.bytes)))
    }

    @Test("A document that somebody changed before it was hashed has no hash")
    func changedDocument() async throws {
        let fixture = try Fixture()
        try fixture.write(Self.bytes)
        var sealed = try #require(await fixture.sealed())
        sealed.length += 1
        guard case .hashFailed(let failure) = await fixture.hash(sealed) else {
            Issue.record("it was hashed")
            return
        }
        #expect(failure.message == "the document can't be hashed: it was changed")
    }

    @Test("Where little is left to hash, nothing is left for later")
    func hashedAtOnce() async throws {
        let fixture = try Fixture()
        try fixture.write(Self.bytes.prefix(6 << 20))
        #expect(await fixture.seal(mustHash: false) == sha256(Array(Self.bytes.prefix(6 << 20))))
    }

    @Test("A hash that was to go further than the file does is no hash")
    func tooShort() async throws {
        let fixture = try Fixture()
        try fixture.write(Self.bytes)
        fixture.store.partialGrew(job, to: 1 << 40)
        #expect(await fixture.seal() == sha256(Self.bytes))
    }
}
