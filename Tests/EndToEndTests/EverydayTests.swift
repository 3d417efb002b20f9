import ControlAPI
import Foundation
import TestSupport
import Testing

/// What people ask of the real daemon every day: lists, batches, waiting, steering what a filter lets through.
@Suite(.timeLimit(.minutes(2)))
struct EverydayTests {
    @Test("What a filter lets through is steered, waited for and listed, and what isn't there is said")
    func filters() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 5, count: 3000))
        let installation = try Installation()
        // However full the disk is.
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DISK_RESERVE": "0"])
        let urls = [origin.url("/a.jpg"), origin.url("/lost.jpg"), origin.url("/gone.jpg")]
        #expect(try await installation.facefetch("add", "--wait", urls[0], urls[1], urls[2]).status == 1)
        let failed = try await installation.facefetch("list", "--state", "failed")
        #expect(failed.lines.first?.hasSuffix("REASON") == true && failed.lines.count == 3)
        #expect(failed.lines.last?.contains("http_404: ") == true)
        let unreadable = try await installation.facefetch("list", "--outcome", "unreadable", "--json")
        #expect(try installation.jobs(unreadable).map(\.id) == [1])
        let last = try await installation.facefetch("list", "--sort", "ended", "--limit", "1", "--json")
        #expect(try installation.jobs(last).count == 1)
        let retried = try await installation.facefetch("retry", "--batch", "b1", "--match", "lost")
        #expect(retried.status == 0 && retried.output == "1 job is tried again.\n")
        #expect(try await installation.facefetch("wait", "j2").status == 1)
        #expect(try await installation.facefetch("wait", "j1").status == 0)
        let done = try await installation.facefetch("retry", "j1")
        #expect(done.status == 1 && done.errors.contains("detect looks for faces again"))
        let nothing = try await installation.facefetch("pause", "--source", "nowhere")
        #expect(nothing.status == 1 && nothing.output.isEmpty && !nothing.errors.isEmpty)
        #expect(try await installation.facefetch("list", "--batch", "b9").status == 1)
        #expect(try await installation.facefetch("batches").lines.count == 2)
        let all = try await installation.facefetch("log")
        #expect(try await installation.facefetch("log", "-n", "2").lines == all.lines.suffix(2))
        let doctor = try await installation.facefetch("doctor", "--json")
        #expect(doctor.status == 0 && doctor.lines.count >= 7, "\(doctor.output)")
        #expect(!doctor.output.contains(#""verdict":"trouble""#))
        let forgotten = try await installation.facefetch("forget", "--state", "failed")
        #expect(forgotten.output == "Forgot 2 jobs.\n")
        #expect(await daemon.stop() == 0)
    }

    @Test("Where nobody is to look for faces, no line says that looking has failed")
    func never() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 5, count: 3000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_WHEN": "never"])
        let added = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
        #expect(added.status == 0 && !added.output.contains("failed"))
        #expect(added.lines.last?.hasSuffix("skipped face detection in \"a.jpg\"") == true)
        #expect(await daemon.stop() == 0)
        #expect(try installation.eventLog().allSatisfy { !$0.contains("failed face detection") })
    }

    @Test("A flag that the daemon doesn't know is said in a line, with where its help is")
    func usage() async throws {
        for (arguments, help) in [
            (["--bogus"], "facefetchd --help"),
            (["check-config", "--bogus"], "facefetchd check-config --help"),
        ] {
            let refused = try await Program.run("facefetchd", arguments)
            #expect(refused.status == 2 && refused.output.isEmpty)
            #expect(refused.errors == "facefetchd: Unknown option '--bogus'. See \"\(help)\".\n")
        }
    }
}
