import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Documents that are looked at again, and a person who thinks better of it.
@Suite(.timeLimit(.minutes(2)))
struct SecondLookTests {
    @Test("Who has all looked at again and cancels that finds all faces where they were, also meanwhile")
    func cancelled() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for number in 1...3 {
            let painted = PaintedPicture(faces: number, seed: UInt64(number))
            origin.serve("/\(number).jpg", OriginFile(try painted.jpeg()))
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        for number in 1...3 {
            let url = origin.url("/\(number).jpg")
            #expect(try await installation.facefetch("add", "--wait", url).status == 0)
        }
        func found() async throws -> [String] {
            let faces = try await installation.facefetch("faces", "--csv").output
            let coco = try await installation.facefetch(
                "export",
                "--format",
                "coco",
                "--out",
                installation.directory.path("coco.json")
            )
            #expect(coco.status == 0, "\(coco.errors)")
            let rows = try await installation.facefetch("export", "--format", "csv", "--out", "-").output
                .split(whereSeparator: \.isNewline)
            // The state is another one while they are looked at again.
            return try [faces, String(decoding: installation.directory.read("coco.json"), as: UTF8.self)]
                + rows.map { row in
                    var fields = row.split(separator: ",", omittingEmptySubsequences: false)
                    fields.remove(at: 2)
                    return fields.joined(separator: ",")
                }
        }
        let before = try await found()
        #expect(before.count == 6)
        #expect(try await installation.facefetch("detection", "hold").status == 0)
        let again = try await installation.facefetch("detect", "--all").output
        #expect(again.contains("3 jobs are looked at again."), "\(again)")
        #expect(try await found() == before)
        #expect(try await installation.facefetch("pause", "--all").output.contains("3 jobs are paused."))
        #expect(try await found() == before)
        let cancelled = try await installation.facefetch("cancel", "--all").output
        #expect(cancelled.contains("3 jobs are cancelled."), "\(cancelled)")
        #expect(try await found() == before)
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(jobs.allSatisfy { $0.state == "done" && $0.ended != nil && $0.finishedAt != nil })
        #expect(await installation.logs("cancelled face detection in \"3.jpg\""))
        #expect(try await installation.facefetch("detection", "release").status == 0)
        // They can be looked at again, and one that is cancelled alone is done, too.
        #expect(try await installation.facefetch("detect", "j1").status == 0)
        #expect(await installation.logs("finished face detection in \"1.jpg\": 1 face"))
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A document that only the end of its connection ends is of unproven length, wherever jobs are told of"
    )
    func unproven() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(try PaintedPicture(faces: 1, seed: 1).jpeg())
        origin.serve("/proven.jpg", file)
        origin.serve("/unproven.jpg") { request in
            var answer = file.answer(to: request)
            answer.framing = .untilClose
            return answer
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        for name in ["proven", "unproven"] {
            #expect(try await installation.facefetch("add", "--wait", origin.url("/\(name).jpg")).status == 0)
        }
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(jobs.map { $0.length?.text } == ["proven", "unproven"])
        #expect(try await installation.facefetch("show", "j2").output.contains("of unproven length"))
        #expect(try await !installation.facefetch("show", "j1").output.contains("unproven"))
        let lines = try await installation.facefetch("export", "--format", "jsonl", "--out", "-").lines
        #expect(lines.map { $0.contains(#""length":"unproven""#) } == [false, true])
        let path = installation.documents + "/unproven.jpg"
        #expect(await installation.logs("stored \"unproven.jpg\" at \(path), of unproven length"))
        #expect(await installation.logs("stored \"proven.jpg\" at \(installation.documents)/proven.jpg"))
        #expect(await daemon.stop() == 0)
    }
}
