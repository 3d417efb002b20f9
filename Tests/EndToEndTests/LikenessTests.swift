import ControlAPI
import Foundation
import Glibc
import PaintedPictures
import TestSupport
import Testing

/// Documents that look alike, as people find them.
@Suite(.timeLimit(.minutes(3)), .enabled(if: Repository.python != nil, "needs python3"))
struct LikenessTests {
    private struct Group: Decodable {
        var size: Int
        var jobs: [JobJSON]
    }

    private func groups(_ result: Program.Result) throws -> [Group] {
        try result.lines.map { try JSONDecoder().decode(Group.self, from: Data($0.utf8)) }
    }

    private func picture(_ number: Int, scale: Int = 1) -> PaintedPicture {
        let places = [[(40, 30, 120), (260, 60, 90)], [(20, 150, 80), (140, 20, 70), (300, 120, 100)]][number]
        return PaintedPicture(
            width: 400 * scale,
            height: 300 * scale,
            faces: places.map { PaintedFace(x: $0.0 * scale, y: $0.1 * scale, side: $0.2 * scale) },
            seed: UInt64(number + 1)
        )
    }

    @Test(
        "Copies in other formats and sizes are found, also after the daemon was killed and by an older result"
    )
    func found() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let files = [
            "a.jpg": try picture(0, scale: 2).jpeg(), "b.webp": try picture(0).webp(quality: 60),
            "c.png": try picture(1).png(), "d.txt": Array("no picture".utf8),
            "e.txt": Array("no picture".utf8),
        ]
        for (name, bytes) in files { origin.serve("/" + name, OriginFile(bytes)) }
        let installation = try Installation()
        var daemon = try await installation.startDaemon()
        for name in files.keys.sorted() {
            // It says of the texts that they are no pictures.
            _ = try await installation.facefetch("add", "--wait", origin.url("/" + name))
        }
        let lists = try await installation.facefetch("list", "--json")
        let first = try installation.jobs(lists)
        #expect(first.map { $0.detection?.fingerprint != nil } == [true, true, true, false, false])
        daemon.signal(SIGKILL)
        _ = await daemon.status
        daemon = try await installation.startDaemon()
        let again = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(again.map(\.detection) == first.map(\.detection))

        let told = try groups(try await installation.facefetch("duplicates", "--json"))
        #expect(told.map(\.size) == [2, 2])
        #expect(told.map { $0.jobs.map(\.id) } == [[1, 2], [4, 5]])
        let page = try await installation.facefetch("duplicates").output
        #expect(page.contains("2 alike\n  j1  800×600"), "\(page)")
        #expect(page.contains(installation.documents + "/b.webp"), "\(page)")
        let none = try await installation.facefetch("duplicates", "--match", "c.png")
        #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("No documents are alike"))
        #expect(try await installation.facefetch("duplicates", "--distance", "17").status == 2)
        #expect(try await installation.facefetch("duplicates", "--batch", "b99").status == 1)
        let rows = try await installation.facefetch("export", "--format", "csv", "--out", "-").output
            .split(whereSeparator: \.isNewline)
        #expect(rows.first?.hasSuffix(",fingerprint,turned") == true)
        #expect(rows.dropFirst().first?.hasSuffix(",\(first[0].detection?.fingerprint ?? ""),") == true)
        #expect(
            try await installation.facefetch("show", "j1").output.contains(
                "fingerprint \(first[0].detection?.fingerprint ?? "")"
            )
        )

        // As if nobody had made any.
        #expect(await daemon.stop() == 0)
        let store = installation.directory.path("state/facefetch.sqlite")
        let forgotten = try await Program.run(
            Repository.python ?? "python3",
            ["-c", Self.forget, store]
        )
        try #require(forgotten.status == 0, "\(forgotten.errors)")
        daemon = try await installation.startDaemon()
        #expect(try groups(try await installation.facefetch("duplicates", "--json")).map(\.size) == [2])
        let made = try await installation.facefetch("detect", "--all", "--fingerprints-only")
        #expect(
            made.status == 0 && made.output.contains("3 fingerprints made."),
            "\(made.output) \(made.errors)"
        )
        let last = try installation.jobs(try await installation.facefetch("list", "--json"))
        func without(_ jobs: [JobJSON]) -> [DetectionJSON?] {
            jobs.map {
                var detection = $0.detection
                detection?.fingerprint = nil
                return detection
            }
        }
        #expect(without(last) == without(first) && last.map(\.ended) == first.map(\.ended))
        #expect(try groups(try await installation.facefetch("duplicates", "--json")).map(\.size) == [2, 2])
        let nothing = try await installation.facefetch("detect", "j1", "--fingerprints-only")
        #expect(nothing.status == 0 && nothing.output.contains("There was nothing to do."))
        let refused = try await installation.facefetch(
            "detect",
            "j1",
            "--fingerprints-only",
            "--engine",
            "haar"
        )
        #expect(refused.status == 2)
        daemon.signal(SIGKILL)
        _ = await daemon.status
        daemon = try await installation.startDaemon()
        let kept = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(kept.map(\.detection) == last.map(\.detection))
        #expect(await daemon.stop() == 0)
    }

    /// Takes all fingerprints out of a store.
    private static let forget = """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as store:
            store.execute("UPDATE jobs SET detection_fingerprint = NULL")
            store.execute("DELETE FROM fingerprints")
        """
}
