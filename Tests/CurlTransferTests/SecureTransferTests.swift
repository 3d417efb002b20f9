import CurlTransfer
import Foundation
import JobCore
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

/// Skipped where nginx or openssl isn't installed.
@Suite(
    "Over TLS",
    .timeLimit(.minutes(1)),
    .enabled(if: NginxServer.executable != nil && TestCertificate.isPossible),
    .ownThread
)
struct SecureTransferTests {
    private let certificate: TestCertificate
    private let server: NginxServer
    private let bytes = OriginContent.bytes(seed: 71, count: 400_000)

    init() throws {
        certificate = try TestCertificate()
        server = try NginxServer.start(certificate: (certificate.file, certificate.key))
        try server.serve(bytes, at: "a.jpg")
    }

    @Test("a certificate that nobody vouches for hinders at once, with the cause, and is its host's")
    func badCertificate() async throws {
        try await TransferBench.run { bench in
            let url = try JobURL(server.url("/a.jpg"))
            let running = try bench.fetch(url)
            guard case .hindered(let failure, let hindrance) = await running.end else {
                Issue.record("a certificate of one's own making is trusted")
                return
            }
            #expect(hindrance == .certificate(host: url.hostKey))
            #expect(failure.code == .badCertificate)
            #expect(failure.message.contains("self-signed"))
            #expect(running.partial.isEmpty)
        }
    }

    @Test("files come whole, many streams at once on HTTP/2's one connection, and resume")
    func multiplexed() async throws {
        try await TransferBench.run {
            $0.certificates.authorities = certificate.file
        } _: { bench in
            let url = try JobURL(server.url("/a.jpg"))
            let all = try (0..<20).map { _ in try bench.fetch(url) }
            for running in all {
                #expect(await running.end == .completed(length: 400_000, lengthProven: true))
                #expect(running.partial == bytes)
            }
            let validator = try #require(all[0].start?.validator)
            let point = ResumePoint(offset: 100_000, total: 400_000, validator: validator)
            let rest = try bench.fetch(url, resume: point, partial: Array(bytes[..<100_000]))
            #expect(await rest.end == .completed(length: 400_000, lengthProven: true))
            #expect(rest.start?.mode == .resumed)
            #expect(rest.partial == bytes)
        }
        server.stop()
        let answers = try server.answers()
        #expect(answers.count == 21)
        #expect(Set(answers.map { $0[1] }) == ["HTTP/2.0"])
        #expect(Set(answers.map { $0[0] }).count == 1)
    }

    @Test(
        "another connection goes on from the TLS session of the first, whichever handle makes it",
        arguments: ["TLSv1.2", "TLSv1.3"]
    )
    func resumed(version: String) async throws {
        let server = try NginxServer.start(
            location: "limit_rate 50k;",
            server: "ssl_protocols \(version); ssl_session_cache shared:tests:1m;",
            certificate: (certificate.file, certificate.key),
            hasStreams: false
        )
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try server.serve(Array(bytes[..<1000]), at: "b.jpg")
        try await TransferBench.run {
            $0.certificates.authorities = certificate.file
        } _: { bench in
            // It is still under way when the other one begins, so that each has a handle and a connection.
            let slow = try bench.fetch(try JobURL(server.url("/a.jpg")))
            await slow.progress(of: 1)
            let other = try bench.fetch(try JobURL(server.url("/b.jpg")))
            #expect(await other.end == .completed(length: 1000, lengthProven: true))
            slow.stop()
            #expect(await slow.end == .stopped)
        }
        server.stop()
        let answer = try #require(try server.answers().first { $0[3] == "1000" })
        #expect(answer.last == "r", "\(answer)")
    }

    @Test("plain http is upgraded where the settings say so")
    func upgraded() async throws {
        try await TransferBench.run {
            $0.certificates.authorities = certificate.file
            $0.policy.plainHTTP = .upgrade
        } _: { bench in
            let plain = try JobURL("http://127.0.0.1:\(server.port)/a.jpg")
            let running = try bench.fetch(plain)
            #expect(await running.end == .completed(length: 400_000, lengthProven: true))
        }
    }

    @Test(
        "a server that an authority of one's own vouches for is trusted, and told who asks where it wants to know"
    )
    func clientCertificate() async throws {
        let authority = try TestAuthority()
        let secured = try NginxServer.start(
            certificate: try authority.certificate("server"),
            clientsOf: authority.file
        )
        defer { secured.stop() }
        try secured.serve(bytes, at: "a.jpg")
        let client = try authority.certificate("client")
        let both =
            try Data(contentsOf: URL(filePath: client.file)) + Data(contentsOf: URL(filePath: client.key))
        let directory = try TemporaryDirectory()
        let one = try directory.write(Array(both), to: "both.pem")
        let url = try JobURL(secured.url("/a.jpg"))
        for files in [
            CertificateFiles(authorities: authority.file, client: client.file, clientKey: client.key),
            CertificateFiles(authorities: authority.file, client: one),
        ] {
            try await TransferBench.run {
                $0.certificates = files
            } _: { bench in
                let running = try bench.fetch(url)
                #expect(await running.end == .completed(length: 400_000, lengthProven: true))
            }
        }
        // Without a certificate nginx answers with status 400.
        try await TransferBench.run {
            $0.certificates.authorities = authority.file
        } _: { bench in
            let running = try bench.fetch(url)
            #expect(await running.end?.isRefusal == true)
        }
        // What can't be used is no fault of the job.
        try await TransferBench.run {
            $0.certificates = CertificateFiles(authorities: authority.file, client: authority.file)
        } _: { bench in
            let running = try bench.fetch(url)
            let end = try #require(await running.end)
            #expect(end.isTransient && end.code == .tlsFailed, "\(end)")
        }
    }

    @Test("an authority that is taken back isn't trusted any more, by the same handle")
    func takenBack() async throws {
        try await TransferBench.run {
            $0.certificates.authorities = certificate.file
        } _: { bench in
            let url = try JobURL(server.url("/a.jpg"))
            let first = try bench.fetch(url)
            #expect(await first.end == .completed(length: 400_000, lengthProven: true))
            bench.reconfigure(CurlTransferConfiguration(userAgent: "facefetch-test/1", deniedNetworks: []))
            let second = try bench.fetch(url)
            #expect(await second.end?.code == .badCertificate)
        }
    }

    @Test("pages trust it as well")
    func pages() async throws {
        let bench = try PageBench { $0.certificates.authorities = certificate.file }
        let request = PageRequest(
            url: try JobURL(server.url("/a.jpg")),
            file: bench.folder.path("page"),
            maximumLength: 1 << 20
        )
        #expect(try await bench.fetcher.fetch(request).get().length == 400_000)
        let other = try PageBench()
        await #expect(throws: PageFetchError.self) { try await other.fetcher.fetch(request).get() }
    }
}
