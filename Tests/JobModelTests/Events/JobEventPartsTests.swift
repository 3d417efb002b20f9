import JobModel
import Testing
import Vocabulary

@Suite("An event taken apart")
struct JobEventPartsTests {
    private static let failure = JobFailure(.timedOut, "too long")
    private static let kinds: [JobEvent.Kind] = [
        .started(url: "u"), .progressed(name: "n", percent: 10), .received(name: "n", bytes: 7),
        .resumed(name: "n", offset: 1, total: 2), .resumed(name: "n", offset: 1, total: nil),
        .restarted(name: "n", reason: "r"), .finished(url: "u", partialPath: "p"),
        .stored(name: "n", path: "p"), .stored(name: "n", path: "p", length: .unproven),
        .waiting(name: "n", until: Timestamp(microseconds: 5), reason: failure),
        .failed(url: "u", failure: failure), .paused(name: "n"), .continued(name: "n"),
        .cancelled(name: "n"), .detectionStarted(name: "n"),
        .detectionFinished(name: "n", faceCount: 2, sharedFrom: JobID(rawValue: 3)),
        .evicted(name: "n"), .removed(name: "n"), .detectionDeferred(name: "n"),
        .detectionCancelled(name: "n"),
        .detectionFailed(name: "n", outcome: .crashed),
        .detectionFailed(name: "n", outcome: .unreadable, sharedFrom: JobID(rawValue: 3), reason: "r"),
    ]

    @Test("has all that it takes to put it together again", arguments: kinds)
    func roundTrip(kind: JobEvent.Kind) {
        let parts = kind.parts
        #expect(JobEvent.Kind(parts) == kind)
        // What is written down is all that there is.
        var written = JobEvent.Parts(parts.word)
        for field in parts.word.fields { written[field] = parts[field] }
        #expect(written == parts)
    }

    @Test("No word is left out above")
    func all() { #expect(Set(Self.kinds.map(\.parts.word)) == Set(EventWord.allCases)) }

    @Test("is none where a number is missing without which it makes no sense")
    func incomplete() {
        for word in [EventWord.progressed, .received, .resumed, .waiting, .detectionFinished] {
            #expect(JobEvent.Kind(JobEvent.Parts(word)) == nil, "\(word)")
        }
    }
}
