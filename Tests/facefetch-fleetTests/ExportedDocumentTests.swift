import ExportFormats
import FleetCore
import Testing

@testable import facefetch_fleet

@Suite("A fleet's exports")
struct ExportedDocumentTests {
    private let records = [
        #"{"id" : 1, "batch" : 2, "state" : "done", "ending" : "done", "name" : "a.jpg", "folder" : "f", "path" : "file://n/d/a.jpg", "url" : "http://u:secret@h/a.jpg", "bytes" : 12, "sha256" : null, "meta" : {"album": "x"}, "created_at" : "2026-11-26T10:00:00.000Z", "finished_at" : "2026-11-26T10:00:01.000Z", "response" : {"etag": "e"}, "error" : null, "detection" : {"outcome":"counted","face_count":1,"faces":[{"x":1,"y":2,"width":3,"height":4,"confidence":0.9}],"width":100,"height":50,"orientation":1,"format":"jpeg","engine":"yunet"}, "node" : "n"}"#,
        #"{"id" : 3, "batch" : 2, "state" : "failed", "ending" : "failed", "name" : "b", "folder" : null, "path" : null, "url" : "http://h/b", "bytes" : 0, "sha256" : null, "meta" : null, "created_at" : "", "finished_at" : "2026-11-26T10:00:01.000Z", "response" : null, "error" : {"code":"http_status","message":"404"}, "detection" : null, "node" : "n"}"#,
    ]

    /// Returns the whole text of an export.
    private func text(_ format: Export.Format, limit: Int = 1000) throws -> String {
        var document = ExportedDocument(format, nil, limit: limit)
        var text = document.opening
        // In two pieces, as two pages.
        for record in records { text += try document.text(of: [record]) }
        try document.close { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    @Test("csv and jsonl have every job, the others the pictures with counted faces, and none a password")
    func formats() throws {
        for format in Export.Format.allCases {
            let text = try text(format)
            #expect(!text.contains("secret"), "\(format)")
            #expect(text.contains("http://h/b") == (format == .csv || format == .jsonl), "\(format)")
        }
        let csv = try text(.csv).split(whereSeparator: \.isNewline)
        #expect(csv.count == 3 && csv[1].contains("file://n/d/a.jpg") && csv[1].contains("[[1,2,3,4]]"))
        #expect(csv[2].contains("http_status"))
        #expect(try text(.jsonl).split(separator: "\n").count == 2)
        #expect(try text(.coco).contains(#""bbox":[1,2,3,4]"#))
        // Also where all that waits goes into a file.
        #expect(try text(.coco, limit: 0) == text(.coco))
    }

    @Test("What isn't a job is told, and ends the export")
    func senseless() {
        var document = ExportedDocument(.csv, nil)
        #expect(throws: FleetFailure.self) { try document.text(of: ["{}"]) }
    }

    @Test("An item's facts go to the daemon with the job's mark; the fleet's figures end as OpenMetrics ends")
    func marks() throws {
        let status = FleetQueue.Status(
            nodes: [.init(name: "a\"b", lease: 3, goneSince: nil, resting: "why", buckets: 4, jobs: 5)],
            queue: 1,
            paused: 2,
            results: 3,
            poison: 0,
            oldestSeconds: 1.5,
            lastMinute: 7
        )
        let text = FleetFigures.text(status)
        #expect(text.hasSuffix("\n# EOF\n") && text.contains(#"facefetch_fleet_node_rests{of="a\"b"} 1"#))
        #expect(text.contains("facefetch_fleet_oldest_seconds 1.5\n"))
        #expect(StatusPage.lines(status)[0].hasSuffix("rests: why"))
    }
}
