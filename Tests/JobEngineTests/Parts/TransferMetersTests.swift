import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what is known of transfers under way.
struct TransferMetersTests {
    private let begin = Moment(microseconds: 1_795_243_503_000_000)
    private let job = JobID(rawValue: 1)

    private func began(offset: Int64 = 0, total: Int64? = 1000) -> TransferReport {
        .began(TransferStart(mode: .fresh, offset: offset, total: total, validator: nil))
    }

    @Test("Listeners hear of a transfer four times a second at the most")
    func news() {
        var meters = TransferMeters()
        #expect(meters.record(began(), of: job, now: begin) == nil)
        let first = meters.record(.progressed(bytes: 10), of: job, now: begin)
        #expect(first == LiveTransfer(bytes: 10, total: 1000, bytesPerSecond: 0))
        let soon = begin.adding(seconds: 0.1)
        #expect(meters.record(.progressed(bytes: 20), of: job, now: soon) == nil)
        let later = begin.adding(seconds: 0.5)
        let second = meters.record(.progressed(bytes: 100), of: job, now: later)
        #expect(second == LiveTransfer(bytes: 100, total: 1000, bytesPerSecond: 200))
        #expect(meters.bytesPerSecond == 200 && meters.rate(of: job, now: later) == 200)
    }

    @Test("What was fetched counts once, also of what is there before anyone told how far it is")
    func received() {
        var meters = TransferMeters()
        _ = meters.record(began(offset: 100), of: job, now: begin)
        _ = meters.record(.progressed(bytes: 300), of: job, now: begin)
        #expect(meters.receivedBytes == 200)
        _ = meters.record(.ended(.completed(length: 1000, lengthProven: true)), of: job, now: begin)
        #expect(meters.receivedBytes == 900)
        #expect(meters.live.isEmpty && meters.rate(of: job, now: begin) == nil)
        let small = JobID(rawValue: 2)
        _ = meters.record(.ended(.completed(length: 50, lengthProven: true)), of: small, now: begin)
        #expect(meters.receivedBytes == 950)
    }

    @Test("What the others are still to bring is known, as far as servers told, and can't overflow")
    func expected() {
        var meters = TransferMeters()
        for (number, total) in [(1, 500), (2, Int64.max), (3, Int64.max), (4, nil)] as [(Int64, Int64?)] {
            _ = meters.record(began(offset: 100, total: total), of: JobID(rawValue: number), now: begin)
        }
        #expect(meters.expectedBytes(besides: JobID(rawValue: 9)) == .max)
        for number: Int64 in [2, 3] {
            _ = meters.record(.ended(.stopped), of: JobID(rawValue: number), now: begin)
        }
        #expect(meters.expectedBytes(besides: JobID(rawValue: 9)) == 400)
        #expect(meters.expectedBytes(besides: job) == 0)
    }
}
