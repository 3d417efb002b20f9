import CurlTransfer
import Foundation
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

/// Skipped where nginx, openssl or Python isn't installed.
@Suite(
    "Requests that share a connection",
    .timeLimit(.minutes(2)),
    .enabled(
        if: NginxServer.executable != nil && TestCertificate.isPossible && StreamServer.executable != nil
    ),
    .ownThread
)
struct SharedConnectionTests {
    private let certificate: TestCertificate
    private let bytes = OriginContent.bytes(seed: 81, count: 20_000)

    init() throws { certificate = try TestCertificate() }

    private var files: (file: String, key: String) { (certificate.file, certificate.key) }

    private func run(patience: Int = 60, _ test: (TransferBench) async throws -> Void) async throws {
        try await TransferBench.run {
            $0.certificates.authorities = certificate.file
            $0.lowSpeedTime = patience
            // A request that waits for nobody isn't to be saved by a time-out.
            $0.connectTimeout = 600
            ($0.connectionsPerHost, $0.mostConnectionsPerHost, $0.streams) = (6, 6, 32)
        } _: { bench in
            try await test(bench)
        }
    }

    /// Fetches one file, so that it is known how the host answers.
    private func meet(_ url: String, _ bench: TransferBench) async throws {
        let first = try bench.fetch(JobURL(url), mayBuffer: true)
        #expect(await first.end?.isWhole == true)
        #expect(first.news.contains { if case .served = $0 { true } else { false } })
    }

    private func news(_ all: [TransferBench.Running]) -> [StreamNews] { all.flatMap(\.news) }

    @Test("Many small files come over one connection, and each says that it was shared")
    func many() async throws {
        let server = try NginxServer.start(certificate: files)
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try await run { bench in
            try await meet(server.url("/a.jpg"), bench)
            let all = try (0..<32).map { _ in try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true) }
            for running in all { #expect(await running.end?.isWhole == true) }
            #expect(news(all).count { if case .served = $0 { true } else { false } } == 32)
            #expect(!news(all).contains(.crowded) && !news(all).contains(.alone))
        }
        server.stop()
        let answers = try server.answers()
        #expect(answers.count == 33 && Set(answers.map { $0[0] }).count == 1, "\(answers)")
    }

    @Test("The next connection is there before the server sends the first one away")
    func relay() async throws {
        // After a thousand requests, nginx says farewell.
        let server = try NginxServer.start(certificate: files)
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try await run { bench in
            try await meet(server.url("/a.jpg"), bench)
            for _ in 0..<70 {
                let all = try (0..<32).map { _ in
                    try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true)
                }
                for running in all { #expect(await running.end?.isWhole == true) }
                #expect(!news(all).contains { if case .served = $0 { false } else { true } })
            }
        }
        server.stop()
        let answers = try server.answers()
        #expect(answers.count == 2241 && Set(answers.map { $0[0] }).count == 3)
    }

    @Test(
        "A host that allows few streams, or sends its connections away, gets no more connections than it may have",
        arguments: ["http2_max_concurrent_streams 1;", "keepalive_requests 5;"]
    )
    func few(directive: String) async throws {
        // The last of each comes late, so that they are under way together.
        let server = try NginxServer.start(
            location: "limit_rate 18k;",
            server: directive,
            certificate: files
        )
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try await run { bench in
            try await meet(server.url("/a.jpg"), bench)
            for round in 0..<2 {
                let all = try (0..<12).map { _ in
                    try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true)
                }
                for running in all {
                    let end = await running.end
                    #expect(end?.isWhole == true, "\(String(describing: end))")
                }
                // Further connections stay for those that follow.
                #expect(round > 0 || news(all).contains(.crowded), "it is asked less at once then")
            }
        }
        server.stop()
        let answers = try server.answers().filter { $0[2] == "200" }
        #expect(answers.count >= 25)
    }

    @Test("More than one connection may carry go over further ones, each made by one request")
    func further() async throws {
        // Each takes about a second.
        let server = try NginxServer.start(location: "limit_rate 10k;", certificate: files)
        defer { server.stop() }
        try server.serve(Array(bytes.prefix(12_000)), at: "a.jpg")
        try await run { bench in
            try await meet(server.url("/a.jpg"), bench)
            for round in 0..<2 {
                let all = try (0..<80).map { _ in
                    try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true)
                }
                for running in all { #expect(await running.end?.isWhole == true) }
                #expect(!news(all).contains { if case .served = $0 { false } else { true } })
                let seesAll = news(all).contains { if case .served(_, _, 5) = $0 { true } else { false } }
                #expect(round == 0 || seesAll, "the connections that are there are counted")
            }
        }
        server.stop()
        let answers = try server.answers()
        let counts = Dictionary(grouping: answers) { $0[0] }.mapValues(\.count)
        #expect(answers.count == 161 && counts.count == 5, "\(counts)")
        #expect(counts.values.sorted() == [1, 1, 17, 33, 109], "32 each of the second time")
    }

    @Test("A large file's streams go on beside small files that share a connection")
    func large() async throws {
        let server = try NginxServer.start(location: "limit_rate 6m;", certificate: files)
        defer { server.stop() }
        let length = 36 << 20
        try server.serve(bytes, at: "a.jpg")
        try server.serve(OriginContent.bytes(seed: 83, count: length), at: "large.jpg")
        try await TransferBench.run {
            $0.certificates.authorities = certificate.file
            // The large file's streams and one connection for all others are as many as there may be.
            ($0.connectionsPerHost, $0.mostConnectionsPerHost, $0.streams, $0.segments) = (3, 3, 32, 4)
        } _: { bench in
            try await meet(server.url("/a.jpg"), bench)
            let large = try bench.fetch(JobURL(server.url("/large.jpg")), mayBuffer: true)
            await large.progress(of: 8 << 20)
            for _ in 0..<30 {
                let pair = try (0..<2).map { _ in
                    try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true)
                }
                for running in pair { #expect(await running.end?.isWhole == true) }
            }
            #expect(await large.end?.isWhole == true)
        }
        server.stop()
        let sent = try server.answers().filter { $0[4] != "\(bytes.count)" }
        // Two streams, pieces of 8 MiB and their halves, and one that made room.
        #expect(sent.count > 1 && sent.count < 12, "\(sent)")
    }

    @Test("A large file says so, and a host without shared connections says nothing")
    func others() async throws {
        let server = try NginxServer.start(certificate: files)
        let plain = try NginxServer.start()
        defer {
            server.stop()
            plain.stop()
        }
        let large = OriginContent.bytes(seed: 82, count: 2_000_000)
        try server.serve(large, at: "a.jpg")
        try plain.serve(bytes, at: "a.jpg")
        try await run { bench in
            let one = try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true)
            #expect(await one.end?.isWhole == true)
            #expect(one.news == [.large])
            let other = try bench.fetch(JobURL(plain.url("/a.jpg")), mayBuffer: true)
            #expect(await other.end?.isWhole == true)
            #expect(other.news.isEmpty)
        }
    }

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
                let all = try (0..<8).map {
                    try bench.fetch(JobURL(server.url("/\($0).png")), mayBuffer: true)
                }
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

extension TransferBench.Running {
    /// What the transfer said of its host's connections.
    fileprivate var news: [StreamNews] {
        reports.compactMap { if case .shared(let news) = $0 { news } else { nil } }
    }
}

extension TransferEnd {
    /// True if the whole file is there.
    fileprivate var isWhole: Bool {
        switch self {
        case .completed, .buffered: true
        default: false
        }
    }
}
