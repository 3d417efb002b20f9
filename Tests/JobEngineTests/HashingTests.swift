import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of when files are hashed: while they arrive, and once they are there.
struct HashingTests {
    private let mebibyte: Int64 = 1 << 20

    private func began(_ harness: EngineHarness) throws {
        _ = try harness.submit(["https://example.org/a.jpg"])
        let start = TransferStart(mode: .fresh, offset: 0, total: 1 << 30, validator: nil)
        try harness.report(1, .began(start))
    }

    @Test("A large file is hashed while it arrives, a small beginning is not")
    func followed() throws {
        let harness = try EngineHarness()
        try began(harness)
        harness.now = harness.now.adding(seconds: 1)
        try harness.report(1, .progressed(bytes: 7 * mebibyte))
        #expect(harness.outside.all.grown.isEmpty)
        harness.now = harness.now.adding(seconds: 1)
        try harness.report(1, .progressed(bytes: 20 * mebibyte))
        #expect(harness.outside.all.grown == [JobID(rawValue: 1): 20 * mebibyte])
    }

    @Test("What arrives faster than it can be hashed is left alone, until it arrives slower")
    func tooFast() throws {
        let harness = try EngineHarness()
        try began(harness)
        harness.now = harness.now.adding(seconds: 0.1)
        try harness.report(1, .progressed(bytes: 100 * mebibyte))
        harness.now = harness.now.adding(seconds: 0.5)
        try harness.report(1, .progressed(bytes: 700 * mebibyte))
        #expect(harness.outside.all.grown.isEmpty)
        for _ in 1...6 {
            harness.now = harness.now.adding(seconds: 1)
            try harness.report(1, .progressed(bytes: 701 * mebibyte))
        }
        #expect(harness.outside.all.grown == [JobID(rawValue: 1): 701 * mebibyte])
    }

    @Test("A document whose hash takes long is told to be stored, then hashed, and then looked at")
    func hashedLater() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(["https://example.org/a.jpg"])
        try harness.report(
            1,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)),
            .ended(.completed(length: 100, lengthProven: true))
        )
        let sealed = SealedPartial(inode: 1, length: 100, sha256: nil)
        try harness.report(1, .sealed(sealed, path: "/p/1.part", freeName: "a.jpg"))
        try harness.report(1, .published(path: "/d/a.jpg"))
        #expect(harness.outside.lines.last == "j1 stored \"a.jpg\" at /d/a.jpg")
        #expect(harness.outside.all.hashing == [JobID(rawValue: 1)])
        #expect(harness.outside.all.detecting.isEmpty)
        #expect(try harness.stored(1)?.state == .stored)
        #expect(try harness.stored(1)?.sha256 == nil)
        try harness.report(1, .hashed(sha256: "ab"))
        #expect(harness.outside.all.detecting == [JobID(rawValue: 1)])
        #expect(try harness.stored(1)?.sha256 == "ab")
    }
}
