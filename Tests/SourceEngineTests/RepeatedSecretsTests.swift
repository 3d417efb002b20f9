import JobModel
import SourceCore
import Testing
import Vocabulary

@testable import SourceEngine

@Suite("A source's secrets in what transfers report")
struct RepeatedSecretsTests {
    private static let job = JobID(rawValue: 7)

    private static func secrets() -> RepeatedSecrets {
        let secrets = RepeatedSecrets()
        secrets.hide(SecretMask(["key": "S3CR3T/key"]), of: job)
        return secrets
    }

    private static func start(_ name: String?, _ mode: TransferStart.Mode = .fresh) -> TransferReport {
        .began(
            TransferStart(
                mode: mode,
                offset: 0,
                total: nil,
                validator: nil,
                suggestedName: name,
                contentType: "image/S3CR3T/key",
                response: ServerResponse(
                    finalURL: "https://h/?k=S3CR3T%2fkey",
                    status: 200,
                    contentType: "image/S3CR3T/key",
                    entityTag: "\"S3CR3T/key\"",
                    receivedAt: Timestamp(microseconds: 5)
                )
            )
        )
    }

    @Test("are in no name, and in no reason")
    func masked() {
        let failure = JobFailure(
            .tooManyRedirects,
            "the redirects form a loop: http://h/?k=S3CR3T%2fkey twice"
        )
        let reports: [TransferReport] = [
            .restarting(reason: "S3CR3T/key has changed"), Self.start("S3CR3T/key.jpg"),
            Self.start("a.jpg", .restarted(reason: "no S3CR3T&#47;key")), .progressed(bytes: 3),
            .synced(bytes: 2),
            .ended(.mustRestart(reason: "S3CR3T\\/key")), .ended(.interrupted(failure, retryAfter: 2)),
            .ended(.damaged(failure)), .ended(.refused(JobFailure(.protocolError, "it is S3CR3T/k\u{2026}"))),
            .ended(.completed(length: 3, lengthProven: true)),
        ]
        for report in reports {
            let masked = Self.secrets().masked([(JobID(rawValue: 8), report), (Self.job, report)])
            #expect(masked.map(\.0) == [JobID(rawValue: 8), Self.job] && masked[0].1 == report)
            #expect(!"\(masked[1].1)".contains("S3CR3T"), "\(masked[1].1)")
            if "\(report)".contains("S3CR3T") { #expect("\(masked[1].1)".contains("{key}")) }
        }
        guard
            case .began(let start) = Self.secrets().masked([(Self.job, Self.start("S3CR3T%2Fkey.jpg"))])[0].1
        else { return #expect(Bool(false)) }
        #expect(start.suggestedName == "{key}.jpg" && start.offset == 0 && start.mode == .fresh)
    }

    @Test("are forgotten when the transfer has ended")
    func forgotten() {
        let (secrets, report) = (Self.secrets(), Self.start("S3CR3T/key"))
        _ = secrets.masked([(Self.job, .ended(.stopped))])
        #expect(secrets.masked([(Self.job, report)])[0].1 == report)
    }
}
