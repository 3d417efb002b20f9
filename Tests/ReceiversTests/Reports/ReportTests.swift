import Foundation
import Testing

@testable import Receivers

@Suite("A report")
struct ReportTests {
    /// Every kind of fault, and every way in which a child ends.
    static let faults: [Fault] = {
        var faults: [Fault] = [
            .partsStuck([.engine]), .partsStuck(Fault.Part.allCases), .partsStuck([]),
            .endedWhileStuck([.transfers, .control]),
        ]
        let ends: [Fault.ChildEnd] = [
            .signal(11), .decoderSignal(6), .status(1), .notStarted, .misbehaved, .signal(Int32.min),
        ]
        for child in Fault.Child.allCases {
            for end in ends { faults.append(.childEnded(child, end, picture: nil)) }
            let picture = PictureFacts(format: .heif, bytes: .max)
            faults.append(.childEnded(child, .signal(11), picture: picture))
        }
        for damage in Fault.StoreDamage.allCases { faults.append(.storeSetAside(damage)) }
        for step in Fault.PublishStep.allCases {
            for error in Fault.PublishError.allCases {
                faults.append(.publishFailed(step, error))
                faults.append(.publishFailed(step, error, errorNumber: 5))
                faults.append(.publishFailed(step, error, errorNumber: 4711))
            }
        }
        return faults
    }()

    /// The lines of an envelope.
    private func lines(_ report: Report) throws -> [Substring] {
        String(decoding: try #require(report.envelope), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("is an envelope: a header, an item's header with its length, and the event")
    func envelope() throws {
        let fault = Fault.childEnded(
            .detector,
            .signal(11),
            picture: PictureFacts(format: .jpeg, bytes: 5000)
        )
        let id = String(repeating: "0a", count: 16)
        let lines = try lines(Report(fault, id: id, time: 1_800_000_000.1234, repeats: 3, version: "1.2"))
        let event = """
            {"event_id":"\(id)","exception":{"values":[{"type":"child_ended","value":"a face detector was ended by \
            SIGSEGV at a picture (jpeg, 5000 bytes)"}]},"extra":{"bytes":5000,"repeats":3},"fingerprint":["facefetch",\
            "child_ended","face detector","SIGSEGV","jpeg"],"level":"error","logger":"facefetchd","platform":"other",\
            "release":"facefetch@1.2","sdk":{"name":"facefetch","version":"1.2"},"tags":{"child":"face detector",\
            "end":"SIGSEGV","fault":"child_ended","format":"jpeg"},"timestamp":1800000000.123}
            """
        let item = #"{"type":"event","content_type":"application/json","length":\#(event.utf8.count)}"#
        #expect(lines[0] == #"{"event_id":"\#(id)"}"#)
        #expect(lines[1] == item)
        #expect(lines[2] == event)
        #expect(lines.count == 4 && lines[3].isEmpty)
    }

    @Test("of whatever fault is an event in one line, with no field that names a machine or a user")
    func all() throws {
        for fault in Self.faults {
            let report = Report(
                fault,
                id: String(repeating: "f", count: 32),
                time: 1,
                repeats: .max,
                version: "1"
            )
            let lines = try lines(report)
            #expect(lines.count == 4)
            let event = try #require(
                try JSONSerialization.jsonObject(with: Data(lines[2].utf8)) as? [String: Any]
            )
            #expect(
                Set(event.keys) == [
                    "event_id", "exception", "extra", "fingerprint", "level", "logger", "platform", "release",
                    "sdk", "tags", "timestamp",
                ]
            )
        }
    }

    @Test("has a fingerprint of its own for each fault, whatever the size of the picture")
    func fingerprints() {
        let all = Set(Self.faults.map(\.fingerprint))
        #expect(all.count == Self.faults.count)
        func fault(_ bytes: Int64) -> Fault {
            .childEnded(.detector, .signal(6), picture: PictureFacts(format: .png, bytes: bytes))
        }
        #expect(fault(1).fingerprint == fault(2).fingerprint)
        #expect(fault(1).fingerprint == ["child_ended", "face detector", "SIGABRT", "png"])
    }

    @Test("is made of faults of ours only: not of a child that somebody has ended, nor of a full disk")
    func ours() {
        for signal: Int32 in [1, 2, 15] {
            #expect(!Fault.childEnded(.detector, .signal(signal), picture: nil).isOurs)
        }
        let ours = Self.faults.filter(\.isOurs)
        #expect(ours == Self.faults)
        #expect(Fault.PublishError(code: "disk_full") == nil)
        #expect(Fault.PublishError(code: "storage_error") == .storageError)
        #expect(Fault.PublishError(code: "anything else") == .other)
        #expect(Fault.Part.named(in: "the engine and the control server") == [.engine, .control])
        #expect(Fault.Part.named(in: "/home/ann").isEmpty)
    }

    @Test(
        "knows the format of a picture by its first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], ReportedFormat.jpeg), ([0x89] + Array("PNG\r\n\u{1a}\n".utf8), .png),
            (Array("GIF89a".utf8), .gif), (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webp),
            ([0x49, 0x49, 0x2A, 0], .tiff), ([0x4D, 0x4D, 0, 0x2A], .tiff),
            (Array("\0\0\0\u{18}ftypheic".utf8), .heif), (Array("\0\0\0\u{18}ftypavif".utf8), .avif),
            ([0xFF, 0x0A, 1], .jxl), (Array("BM".utf8), .bmp), (Array("<svg".utf8), .svg), ([], .other),
            ([0xFF, 0xD8], .other), (Array("RIFF\0\0\0\0WAVE".utf8), .other),
            (Array("/etc/passwd".utf8), .other),
        ] as [([UInt8], ReportedFormat)]
    )
    func kinds(head: [UInt8], kind: ReportedFormat) { #expect(ReportedFormat(head: head) == kind) }
}
