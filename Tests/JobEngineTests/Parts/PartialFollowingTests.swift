import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of when the document store hashes the beginning of a file that is still arriving.
struct PartialFollowingTests {
    private func live(segments: String? = nil) throws -> LiveJob {
        var job = Job(
            id: JobID(rawValue: 1),
            batch: BatchID(rawValue: 1),
            createdAt: Moment(microseconds: 0),
            url: try JobURL("http://example.org/a.jpg"),
            name: "a.jpg"
        )
        job.segments = segments.flatMap(SegmentMap.init(text:))
        return LiveJob(job)
    }

    private func began(_ mode: TransferStart.Mode, at offset: Int64) -> TransferReport {
        .began(TransferStart(mode: mode, offset: offset, total: 1000, validator: nil))
    }

    @Test("A body is followed from what is there before it, without holes")
    func begins() throws {
        let whole = try live()
        #expect(PartialFollowing(after: began(.fresh, at: 0), of: whole, rate: nil) == .begins(at: 0))
        #expect(PartialFollowing(after: began(.resumed, at: 500), of: whole, rate: nil) == .begins(at: 500))
        let inSegments = try live(segments: "0-100,300-700")
        #expect(
            PartialFollowing(after: began(.resumed, at: 500), of: inSegments, rate: nil) == .begins(at: 100)
        )
        let restarted = began(.restarted(reason: "it has changed"), at: 0)
        #expect(PartialFollowing(after: restarted, of: inSegments, rate: nil) == .begins(at: 0))
    }

    @Test("Nothing is hashed of a file whose transfer isn't under way")
    func resting() throws {
        let resting = try live(segments: "0-99999999")
        let progress = TransferReport.progressed(bytes: 99_999_999)
        #expect(PartialFollowing(after: progress, of: resting, rate: nil) == nil)
        #expect(PartialFollowing(after: progress, of: nil, rate: nil) == nil)
        #expect(PartialFollowing(after: .ended(.stopped), of: resting, rate: nil) == nil)
    }
}
