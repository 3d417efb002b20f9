import CurlTransfer
import Foundation
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

/// Skipped where nginx, openssl or Python isn't installed.
@Suite(
    "Requests that share a connection to a server that breaks them, or means harm",
    .timeLimit(.minutes(2)),
    .enabled(
        if: NginxServer.executable != nil && TestCertificate.isPossible && StreamServer.executable != nil
    ),
    .ownThread
)
struct UnkindStreamTests: SharedConnectionBench {
    let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

    @Test("Requests that a host refuses, or that go with their connection, are sent again and count no try")
    func refused() async throws {
        var refusing = StreamServer.Manners()
        (refusing.limit, refusing.refused) = (100, 8)
        var closing = StreamServer.Manners()
        (closing.limit, closing.farewell) = (100, 3)
        var losing = StreamServer.Manners()
        (losing.limit, losing.closed) = (100, 1)
        var resetting = StreamServer.Manners()
        (resetting.limit, resetting.reset) = (100, 8)
        for manners in [refusing, closing, losing, resetting] {
            let server = try StreamServer(certificate: files, manners)
            defer { server.stop() }
            try await run { bench in
                try await meet(server.url("/first.png"), bench)
                // All before any is sent again, since one that is reset twice isn't sent a third time.
                let all = try bench.fetchTogether((0..<8).map { try JobURL(server.url("/\($0).png")) })
                for running in all {
                    let end = await running.end
                    #expect(end?.isWhole == true, "\(String(describing: end))")
                }
            }
            #expect(try server.counts().answers >= 9)
        }
    }

    @Test("A request that breaks each time ends after a few")
    func alwaysBroken() async throws {
        var manners = StreamServer.Manners()
        (manners.limit, manners.broken) = (100, Int(Int32.max))
        let broken = try StreamServer(certificate: files, manners)
        defer { broken.stop() }
        try await run { bench in
            let end = try await bench.fetch(JobURL(broken.url("/a.png")), mayBuffer: true).end
            #expect(end?.isTransient == true && end?.code == .connectionLost, "\(String(describing: end))")
        }
        #expect(try broken.counts().requests <= 2, "it isn't known to share connections")

        var refusing = StreamServer.Manners()
        (refusing.limit, refusing.refused) = (100, Int(Int32.max))
        let server = try StreamServer(certificate: files, refusing)
        defer { server.stop() }
        try await run { bench in
            try await meet(server.url("/first.png"), bench)
            let running = try bench.fetch(JobURL(server.url("/a.png")), mayBuffer: true)
            #expect(await running.end?.isTransient == true)
            #expect(running.news.contains(.refused))
        }
        // libcurl tries again by itself, and that is enough.
        #expect(try server.counts().requests <= 8)

        var resetting = StreamServer.Manners()
        (resetting.limit, resetting.reset) = (100, Int(Int32.max))
        let reset = try StreamServer(certificate: files, resetting)
        defer { reset.stop() }
        try await run { bench in
            try await meet(reset.url("/first.png"), bench)
            let end = try await bench.fetch(JobURL(reset.url("/a.png")), mayBuffer: true).end
            #expect(end?.isTransient == true && end?.code == .connectionLost, "\(String(describing: end))")
        }
        #expect(try reset.counts().requests == 3, "it is sent again once")

        var losing = StreamServer.Manners()
        (losing.limit, losing.lost) = (100, Int(Int32.max))
        let silent = try StreamServer(certificate: files, losing)
        defer { silent.stop() }
        try await run { bench in
            try await meet(silent.url("/first.png"), bench)
            let end = try await bench.fetch(JobURL(silent.url("/a.png")), mayBuffer: true).end
            #expect(end?.isTransient == true, "\(String(describing: end))")
        }
        // Where nobody is answered, it is sent again once, and once more by libcurl on a new connection.
        #expect(try silent.counts().requests <= 5)
    }

    @Test("Errors of the server, and answers that don't come, speak against more requests")
    func overloaded() async throws {
        let server = try NginxServer.start(server: "location = /b.jpg { return 503; }", certificate: files)
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try await run { bench in
            try await meet(server.url("/a.jpg"), bench)
            let running = try bench.fetch(JobURL(server.url("/b.jpg")), mayBuffer: true)
            #expect(await running.end?.isTransient == true)
            #expect(running.news == [.refused])
        }

        var waiting = StreamServer.Manners()
        (waiting.limit, waiting.gate, waiting.awaited) = (100, 1, 100)
        let late = try StreamServer(certificate: files, waiting)
        defer { late.stop() }
        try await run(patience: 1) { bench in
            try await meet(late.url("/first.png"), bench)
            let running = try bench.fetch(JobURL(late.url("/a.png")), mayBuffer: true)
            #expect(await running.end?.isTransient == true)
            #expect(running.news == [.refused])
        }
    }

    @Test("Answers that never end are given up one by one, and others come meanwhile")
    func unended() async throws {
        var manners = StreamServer.Manners()
        (manners.limit, manners.unended) = (100, 8)
        let server = try StreamServer(certificate: files, manners)
        defer { server.stop() }
        try await run(patience: 2) { bench in
            try await meet(server.url("/first.png"), bench)
            let stuck = try (0..<8).map {
                try bench.fetch(JobURL(server.url("/\($0).png")), mayBuffer: true)
            }
            try await waitWhile { try server.counts().requests < 9 }
            let others = try (0..<8).map {
                try bench.fetch(JobURL(server.url("/other\($0).png")), mayBuffer: true)
            }
            for running in others { #expect(await running.end?.isWhole == true) }
            for running in stuck {
                let end = await running.end
                #expect(end?.isTransient == true && end?.code == .stalled, "\(String(describing: end))")
            }
        }
    }

    @Test("A server that lets nobody send a body, and says farewell after each answer, is asked all the same")
    func unkind() async throws {
        var manners = StreamServer.Manners()
        (manners.limit, manners.farewell, manners.givesNoWindow) = (1, 1, true)
        let server = try StreamServer(certificate: files, manners)
        defer { server.stop() }
        try await run { bench in
            try await meet(server.url("/first.png"), bench)
            let all = try (0..<4).map {
                try bench.fetch(JobURL(server.url("/\($0).png")), mayBuffer: true)
            }
            for running in all {
                let end = await running.end
                #expect(end?.isWhole == true, "\(String(describing: end))")
            }
        }
    }

    @Test("SETTINGS without end before each answer, and heads without end, do no harm")
    func floods() async throws {
        var flooding = StreamServer.Manners()
        (flooding.limit, flooding.settings) = (100, 500)
        let flood = try StreamServer(certificate: files, flooding)
        var endless = StreamServer.Manners()
        (endless.limit, endless.endlessHeads) = (100, true)
        let heads = try StreamServer(certificate: files, endless)
        defer {
            flood.stop()
            heads.stop()
        }
        try await run { bench in
            // nghttp2 may find that this is too much, too.
            let flooded = try await bench.fetch(JobURL(flood.url("/a.png")), mayBuffer: true).end
            #expect(
                flooded?.isWhole == true || flooded?.isTransient == true,
                "\(String(describing: flooded))"
            )
            let end = try await bench.fetch(JobURL(heads.url("/a.png")), mayBuffer: true).end
            #expect(end?.isWhole == false && end?.code != nil, "\(String(describing: end))")
        }
    }
}
