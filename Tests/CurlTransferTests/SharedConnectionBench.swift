import CurlTransfer
import JobModel
import TestSupport
import Testing
import Vocabulary

/// The suites of requests that share a connection, over TLS with a certificate of their own.
protocol SharedConnectionBench {
    var certificate: TestCertificate { get }
}

extension SharedConnectionBench {
    /// A small file.
    var bytes: [UInt8] { OriginContent.bytes(seed: 81, count: 20_000) }

    var files: (file: String, key: String) { (certificate.file, certificate.key) }

    func run(patience: Int = 60, _ test: (TransferBench) async throws -> Void) async throws {
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
    func meet(_ url: String, _ bench: TransferBench) async throws {
        let first = try bench.fetch(JobURL(url), mayBuffer: true)
        let end = await first.end
        #expect(end?.isWhole == true, "\(String(describing: end))")
        #expect(first.news.contains { if case .served = $0 { true } else { false } })
    }

    func news(_ all: [TransferBench.Running]) -> [StreamNews] { all.flatMap(\.news) }
}

extension TransferBench.Running {
    /// What the transfer said of its host's connections.
    var news: [StreamNews] {
        reports.compactMap { if case .shared(let news) = $0 { news } else { nil } }
    }
}

extension TransferEnd {
    /// True if the whole file is there.
    var isWhole: Bool {
        switch self {
        case .completed, .buffered: true
        default: false
        }
    }
}
