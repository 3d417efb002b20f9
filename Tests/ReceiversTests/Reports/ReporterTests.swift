import CurlTransfer
import Dispatch
import Foundation
import JobModel
import Logging
import TestSupport
import Testing

@testable import Receivers

@Suite("A reporter at a real receiver")
struct ReporterTests {
    private let directory: TemporaryDirectory
    private let receiver: PostReceiver
    /// Long enough for a machine that is very busy.
    private let long = DispatchTimeInterval.seconds(60)
    private let fault = Fault.childEnded(.detector, .signal(11), picture: nil)

    init() throws {
        directory = try TemporaryDirectory()
        receiver = PostReceiver(in: directory)
    }

    /// A request as the receiver wrote it down.
    private struct Line: Decodable {
        var path: String
        var authorization: String
        var body: String

        /// The envelope's id, and the kind of fault.
        var id: String { String(body.dropFirst(#"{"event_id":""#.count).prefix(32)) }
        var kind: String {
            body.components(separatedBy: #""type":""#).last.map { String($0.prefix { $0 != "\"" }) } ?? ""
        }
    }

    private func lines(_ count: Int) async throws -> [Line] {
        try await receiver.lines(count).map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    private func configuration(denied: [String] = []) throws -> ReportingConfiguration {
        // Until there is a receiver: a port that nothing listens at.
        let port = receiver.port.isEmpty ? "9" : receiver.port
        return ReportingConfiguration(
            address: try #require(ReportAddress("http://k3y@127.0.0.1:\(port)/7")),
            deniedNetworks: denied.compactMap { NetworkRange($0) },
            version: "1.2"
        )
    }

    private func reporter(in folder: String = "reports") -> Reporter {
        Reporter(directory: directory.path(folder), logger: Logger(label: "test"))
    }

    /// The reports that are kept.
    private func kept(_ folder: String = "reports") -> [String] { Self.kept(in: directory.path(folder)) }

    private static func kept(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(".report")
        }
        .sorted()
    }

    /// Waits until so many reports are kept.
    private func keeps(_ count: Int, in folder: String = "reports") async -> Bool {
        let path = directory.path(folder)
        guard await directory.appears(folder) else { return false }
        return await FolderWatch.until(in: path) { Self.kept(in: path).count == count }
    }

    @Test("A fault is posted once, as an envelope with the key in its head, and not kept after that")
    func posts() async throws {
        #expect(try await receiver.start(["200"]))
        let reporter = reporter()
        defer { reporter.stop() }
        reporter.configure(try configuration())
        let picture = try directory.write(
            [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 97),
            to: "secret.jpg"
        )
        reporter.report(.detector, .signal(11), at: picture)
        reporter.report(.detector, .signal(11), at: picture)
        let lines = try await lines(1)
        #expect(await keeps(0))
        reporter.flush(for: long)
        #expect(reporter.status == .init(state: .delivering, sent: 1, dropped: 1))
        #expect(lines.count == 1 && lines[0].path == "/api/7/envelope/" && lines[0].kind == "child_ended")
        #expect(
            lines[0].authorization == "Sentry sentry_version=7, sentry_client=facefetch/1.2, sentry_key=k3y"
        )
        #expect(lines[0].body.contains("at a picture (jpeg, 100 bytes)") && !lines[0].body.contains("secret"))
    }

    @Test("What wasn't taken is kept where nobody else can read it, and sent by the next reporter")
    func restart() async throws {
        let first = reporter()
        first.configure(try configuration())
        first.report(fault)
        first.report(.storeSetAside(.malformed))
        #expect(await keeps(2))
        first.stop(for: long)
        let names = kept()
        for name in [""] + names {
            var status = stat()
            #expect(stat(directory.path("reports/" + name), &status) == 0)
            #expect(status.st_mode & 0o777 == (name.isEmpty ? 0o700 : 0o600))
        }
        #expect(try await receiver.start(["200"]))
        let second = reporter()
        defer { second.stop() }
        second.configure(try configuration())
        // The same fault isn't reported again so soon.
        second.report(fault)
        let lines = try await lines(2)
        #expect(await keeps(0))
        #expect(lines.map(\.kind) == ["child_ended", "store_set_aside"])
        #expect(zip(names, lines).allSatisfy { $0.contains($1.id) } && names.count == 2)
        second.flush(for: long)
        #expect(second.status.sent == 2 && second.status.dropped == 1)
    }

    @Test("That reports can't be kept is told, as is the end of that, once each")
    func unkept() async throws {
        let log = NotedLog()
        let reporter = Reporter(directory: directory.path("reports"), logger: log.logger)
        defer { reporter.stop() }
        // The name that the allowance is written under first is taken by what can't be written.
        _ = try directory.directory("reports")
        let obstacle = try directory.directory("reports/allowance.new")
        reporter.configure(try configuration())
        for fault in [fault, .transferAtRest] { reporter.report(fault) }
        reporter.flush(for: long)
        #expect(rmdir(obstacle) == 0)
        for fault in [.storeSetAside(.malformed), .publishFailed(.seal, .storageError)] as [Fault] {
            reporter.report(fault)
        }
        reporter.flush(for: long)
        #expect(
            log.lines.withLock(\.self).filter { $0.contains("kept") } == [
                "error reports can't be kept: Is a directory", "error reports are kept again",
            ]
        )
    }

    @Test("Reports that could not be kept are, once there is room, and are told as that only then")
    func keptLater() async throws {
        let reporter = reporter()
        defer { reporter.stop() }
        // A file in the place of the folder.
        let obstacle = try directory.write([], to: "reports")
        reporter.configure(try configuration())
        reporter.report(fault)
        reporter.flush(for: long)
        #expect(unlink(obstacle) == 0)
        _ = try directory.directory("reports")
        reporter.report(.transferAtRest)
        reporter.flush(for: long)
        #expect(Self.kept(in: directory.path("reports")).count == 2)
    }

    @Test("A receiver that has enough is left alone for as long as it says")
    func limits() async throws {
        #expect(try await receiver.start(["429/1:error;default:key", "200/1::organization", "200"]))
        let reporter = reporter()
        defer { reporter.stop() }
        reporter.configure(try configuration())
        let begin = ContinuousClock.now
        reporter.report(fault)
        reporter.report(.publishFailed(.seal, .storageError))
        let lines = try await lines(3)
        #expect(.now - begin > .seconds(1.9))
        #expect(lines.map(\.kind) == ["child_ended", "child_ended", "publish_failed"])
        #expect(lines[0].id == lines[1].id)
        #expect(await keeps(0))
    }

    @Test("What a receiver refuses is dropped, and the next one is sent")
    func refused() async throws {
        #expect(try await receiver.start(["400", "200"]))
        let reporter = reporter()
        defer { reporter.stop() }
        reporter.configure(try configuration())
        reporter.report(fault)
        reporter.report(.partsStuck([.control]))
        #expect(try await lines(2).map(\.kind) == ["child_ended", "part_stuck"])
        #expect(await keeps(0))
        reporter.flush(for: long)
        #expect(reporter.status.sent == 1 && reporter.status.dropped == 1)
    }

    @Test("A fault is on the disk at once while a receiver hangs, which holds up nothing")
    func hangs() async throws {
        #expect(try await receiver.start(["hang"]))
        let reporter = reporter()
        reporter.configure(try configuration())
        reporter.report(fault)
        #expect(try await lines(1).count == 1)
        reporter.report(.storeSetAside(.notADatabase))
        reporter.flush(for: long)
        #expect(kept().count == 2)
        reporter.stop(for: long)
        #expect(kept().count == 2 && reporter.status.sent == 0)
    }

    @Test(
        "A dead receiver has one request to hold, and however much there is to report, a day's worth is kept"
    )
    func dead() async throws {
        #expect(try await receiver.start(["hang"]))
        let reporter = reporter()
        reporter.configure(try configuration())
        for number in 0..<10_000 {
            reporter.report(.childEnded(.detector, .status(Int32(number % 1000)), picture: nil))
        }
        #expect(try await lines(1).count == 1)
        reporter.flush(for: long)
        #expect((1...ReportAllowance.perDay).contains(kept().count))
        #expect(try await lines(1).count == 1 && reporter.status.sent == 0)
        reporter.stop(for: long)
    }

    @Test("Nothing is sent into a network that is denied")
    func denied() async throws {
        #expect(try await receiver.start(["200"]))
        let reporter = reporter()
        defer { reporter.stop() }
        reporter.configure(try configuration(denied: ["127.0.0.0/8"]))
        reporter.report(fault)
        #expect(await keeps(1))
        reporter.flush(for: long)
        reporter.configure(try configuration())
        #expect(try await lines(1).count == 1)
        #expect(await keeps(0))
    }

    @Test("A part that is stuck is reported, and once more by the next reporter if the daemon ends with it")
    func stuck() async throws {
        let first = reporter()
        first.configure(try configuration())
        first.areStuck([.engine, .transfers])
        #expect(await keeps(1))
        first.flush(for: long)
        // What a kill would leave.
        try FileManager.default.copyItem(atPath: directory.path("reports"), toPath: directory.path("killed"))
        #expect(try await receiver.start(["200"]))
        let second = reporter(in: "killed")
        second.configure(try configuration())
        let lines = try await lines(2)
        #expect(lines.map(\.kind) == ["part_stuck", "ended_while_stuck"])
        #expect(lines.allSatisfy { $0.body.contains("the engine and the transfer thread") })
        #expect(await keeps(0, in: "killed"))
        second.stop(for: long)
        #expect(access(directory.path("killed/stuck"), F_OK) != 0)
        // The first one goes on, and ends in good order.
        #expect(access(directory.path("reports/stuck"), F_OK) == 0)
        first.noneIsStuck()
        first.flush(for: long)
        #expect(access(directory.path("reports/stuck"), F_OK) != 0)
        first.areStuck([.engine])
        first.stop(for: long)
        #expect(access(directory.path("reports/stuck"), F_OK) != 0)
    }

    @Test("Off, it touches nothing, and turned off it takes away what it kept")
    func off() async throws {
        let reporter = reporter()
        reporter.report(fault)
        reporter.configure(nil)
        reporter.flush(for: long)
        reporter.stop(for: long)
        #expect(access(directory.path("reports"), F_OK) != 0 && reporter.status == .init())
        let first = self.reporter()
        first.configure(try configuration())
        first.report(fault)
        first.areStuck([.engine])
        #expect(await keeps(2))
        first.configure(nil)
        first.flush(for: long)
        #expect(access(directory.path("reports"), F_OK) != 0)
        first.report(fault)
        first.stop(for: long)
        #expect(access(directory.path("reports"), F_OK) != 0 && first.status.state == .off)
    }

    @Test("What lies in its directory and isn't a report is neither followed nor sent")
    func strangers() async throws {
        let folder = try directory.directory("reports")
        let name = String(repeating: "0", count: 15) + "-" + String(repeating: "a", count: 32) + ".report"
        let link = name.replacing("-a", with: "-b")
        let large = name.replacing("-a", with: "-c")
        try directory.write(Array("a secret".utf8), to: "secret")
        symlink(directory.path("secret"), folder + "/" + link)
        try directory.write([UInt8](repeating: 1, count: Report.maximumLength + 1), to: "reports/" + large)
        try directory.write([1], to: "reports/half.new")
        try directory.write([1], to: "reports/mine")
        try directory.write(Array("{".utf8), to: "reports/allowance")
        mkfifo(folder + "/" + name.replacing("-a", with: "-d"), 0o600)
        #expect(try await receiver.start(["200"]))
        let reporter = reporter()
        defer { reporter.stop() }
        reporter.configure(try configuration())
        reporter.report(fault)
        #expect(try await lines(1).map(\.kind) == ["child_ended"])
        #expect(await keeps(0))
        #expect(try directory.read("secret") == Array("a secret".utf8))
        #expect(access(folder + "/mine", F_OK) == 0 && access(folder + "/half.new", F_OK) != 0)
    }
}
