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
struct SharedConnectionTests: SharedConnectionBench {
    let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

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

    @Test("A file with a rate of its own has a connection of its own, on which it holds up no others")
    func ownRate() async throws {
        let server = try NginxServer.start(certificate: files)
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try server.serve(bytes + [0], at: "slow.jpg")
        try await run { bench in
            try await meet(server.url("/a.jpg"), bench)
            let slow = try bench.fetch(JobURL(server.url("/slow.jpg")), rateLimit: 10_000)
            _ = await bench.report(of: slow.job) { if case .began = $0 { true } else { false } }
            let all = try (0..<16).map { _ in try bench.fetch(JobURL(server.url("/a.jpg")), mayBuffer: true) }
            for running in all { #expect(await running.end?.isWhole == true) }
            #expect(await slow.end?.isWhole == true)
        }
        server.stop()
        let answers = try server.answers()
        let own = answers.filter { $0[4] == "\(bytes.count + 1)" }
        // How many connections the others need depends on when each comes.
        #expect(answers.count == 18 && own.count == 1)
        #expect(answers.filter { $0[0] == own.first?[0] } == own)
    }

    @Test(
        "Behind a name whose servers don't all share connections, no file gets bytes of another",
        arguments: [[false, true], [false, false, true], [true, false], [false, true, false, true]]
    )
    func mixed(sharing: [Bool]) async throws {
        let limit = "limit_rate 300k;"
        let shared = try NginxServer.start(location: limit, certificate: files)
        defer { shared.stop() }
        let single = try NginxServer.start(location: limit, certificate: files, hasStreams: false)
        defer { single.stop() }
        let contents = (0..<24).map {
            OriginContent.bytes(seed: UInt64($0), count: $0 < 4 ? 200_000 : 40_000)
        }
        for (number, bytes) in contents.enumerated() {
            for server in [shared, single] { try server.serve(bytes, at: "\(number).jpg") }
        }
        let name = try ServerSwitch(to: sharing.map { $0 ? shared.port : single.port })
        defer { name.stop() }
        try await run { bench in
            let all = try contents.indices.map { try bench.fetch(JobURL(name.url("/\($0).jpg"))) }
            for (running, bytes) in zip(all, contents) {
                #expect(await running.end == .completed(length: Int64(bytes.count), lengthProven: true))
                let isSame = running.partial == bytes
                #expect(isSame)
            }
        }
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
                let seesAll = news(all).contains { if case .served(_, _, 5, _) = $0 { true } else { false } }
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
}
