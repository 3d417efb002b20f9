import JobModel
import Testing
import Vocabulary

@Suite("The index of documents")
struct DocumentIndexTests {
    private func bytes(_ entry: DocumentIndex.Entry) -> [UInt8] {
        var index = DocumentIndex()
        index.append(entry)
        return index.bytes
    }

    @Test("a document is 8 bytes: its job, its shape, its faces, its flags, little-endian")
    func layout() {
        let entry = DocumentIndex.Entry(
            job: 0x0102_0304,
            outcome: .counted,
            width: 3000,
            height: 2000,
            faces: 7,
            hasMeta: true
        )
        // 1500 is 0x05DC.
        #expect(bytes(entry) == [0x04, 0x03, 0x02, 0x01, 0xDC, 0x05, 7, 1 | 4])
    }

    @Test(
        "what came of looking is in two bits",
        arguments: [
            (DetectionOutcome.counted, 1), (.unreadable, 2), (.crashed, 2), (.timedOut, 2), (.skipped, 0),
            (nil, 0),
        ] as [(DetectionOutcome?, UInt8)]
    )
    func flags(outcome: DetectionOutcome?, flags: UInt8) {
        #expect(bytes(DocumentIndex.Entry(job: 1, outcome: outcome)).last == flags)
    }

    @Test("shapes and counts that don't fit stand at the end of what fits; unknown shapes are 0")
    func bounds() {
        func shape(_ width: Int64, _ height: Int64) -> Int {
            let bytes = bytes(DocumentIndex.Entry(job: 1, outcome: nil, width: width, height: height))
            return Int(bytes[4]) + Int(bytes[5]) << 8
        }
        #expect(shape(0, 0) == 0 && shape(-1, 5) == 0)
        #expect(shape(1, 100_000) == 1 && shape(1_000_000, 1) == 65535)
        #expect(shape(.max, 1) == 65535)
        #expect(bytes(DocumentIndex.Entry(job: 1, outcome: .counted, faces: 4096))[6] == 255)
        #expect(bytes(DocumentIndex.Entry(job: 1, outcome: .counted, faces: -1))[6] == 0)
    }

    @Test("with times a document is 12 bytes, of which the last four are seconds; 0 where they have no room")
    func times() {
        var index = DocumentIndex(hasTimes: true)
        for time in [0x0102_0304, nil, -1, 1 << 40] as [Int64?] {
            let time = time.map { Timestamp(stored: $0 * 1_000_000 + 999_999) }
            index.append(DocumentIndex.Entry(job: 1, outcome: nil, time: time))
        }
        #expect(index.count == 4 && index.bytes.count == 48)
        #expect(Array(index.bytes[8..<12]) == [4, 3, 2, 1])
        #expect(
            stride(from: 12, to: 48, by: 12).allSatisfy {
                index.bytes[($0 + 8)..<($0 + 12)].allSatisfy { $0 == 0 }
            }
        )
    }

    @Test("a job whose id has no room is left out")
    func largeIDs() {
        #expect(bytes(DocumentIndex.Entry(job: Int64(UInt32.max), outcome: nil)).count == 8)
        #expect(bytes(DocumentIndex.Entry(job: Int64(UInt32.max) + 1, outcome: nil)).isEmpty)
    }
}
