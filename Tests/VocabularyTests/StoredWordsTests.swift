import Testing
import Vocabulary

@Suite("Words that are stored")
struct StoredWordsTests {
    private func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> [String] {
        Word.allCases.map(\.rawValue)
    }

    @Test("Words stay as they are in stores and logs, and with programs that read them")
    func words() {
        #expect(
            words(JobState.self) == [
                "queued", "downloading", "stored", "detecting", "done", "waiting", "paused", "failed",
                "cancelled",
            ]
        )
        #expect(words(JobEnding.self) == ["stored", "done", "failed", "cancelled"])
        #expect(words(LengthProof.self) == ["proven", "unproven"])
        #expect(words(DetectionOutcome.self) == ["counted", "unreadable", "crashed", "timed_out", "skipped"])
        #expect(words(DetectionEngine.self) == ["haar", "yunet"])
        #expect(
            words(PictureFormat.self) == [
                "jpeg", "png", "webp", "gif", "tiff", "heif", "raw", "bmp", "jxl", "jp2",
            ]
        )
        #expect(
            words(EventWord.self) == [
                "started", "progressed", "received", "resumed", "restarted", "finished", "stored", "waiting",
                "failed", "paused", "continued", "cancelled", "evicted", "removed", "detection_started",
                "detection_finished", "detection_deferred", "detection_cancelled", "detection_failed",
            ]
        )
    }
}
