import CCurl
import Glibc
import JobModel
import Testing

@testable import CurlTransfer

@Suite("A result of libcurl")
struct CurlOutcomeTests {
    struct Row: Sendable {
        var result: CURLcode
        var phase = CurlOutcome.Phase.receiving
        var code: FailureCode
        var isTransient: Bool

        init(
            _ result: CURLcode,
            _ code: FailureCode,
            transient: Bool,
            in phase: CurlOutcome.Phase = .receiving
        ) {
            self.result = result
            self.code = code
            isTransient = transient
            self.phase = phase
        }
    }

    static let rows = [
        Row(CURLE_COULDNT_RESOLVE_HOST, .unresolvedHost, transient: true),
        Row(CURLE_COULDNT_RESOLVE_PROXY, .unresolvedHost, transient: true),
        Row(CURLE_COULDNT_CONNECT, .connectFailed, transient: true),
        Row(CURLE_PROXY, .connectFailed, transient: true),
        Row(CURLE_OPERATION_TIMEDOUT, .timedOut, transient: true, in: .connecting),
        Row(CURLE_OPERATION_TIMEDOUT, .timedOut, transient: true, in: .waitingForAnswer),
        Row(CURLE_OPERATION_TIMEDOUT, .stalled, transient: true, in: .receiving),
        Row(CURLE_PARTIAL_FILE, .truncated, transient: true),
        Row(CURLE_GOT_NOTHING, .connectionLost, transient: true),
        Row(CURLE_RECV_ERROR, .connectionLost, transient: true),
        Row(CURLE_SEND_ERROR, .connectionLost, transient: true),
        Row(CURLE_HTTP2, .connectionLost, transient: true),
        Row(CURLE_HTTP2_STREAM, .connectionLost, transient: true),
        Row(CURLE_SSL_CONNECT_ERROR, .tlsFailed, transient: true),
        Row(CURLE_SSL_CERTPROBLEM, .tlsFailed, transient: true),
        Row(CURLE_SSL_CLIENTCERT, .tlsFailed, transient: false),
        Row(CURLE_SSL_CIPHER, .tlsFailed, transient: false),
        Row(CURLE_PEER_FAILED_VERIFICATION, .badCertificate, transient: true),
        Row(CURLE_SSL_ISSUER_ERROR, .badCertificate, transient: true),
        Row(CURLE_SSL_INVALIDCERTSTATUS, .badCertificate, transient: true),
        Row(CURLE_UNSUPPORTED_PROTOCOL, .protocolError, transient: false),
        Row(CURLE_BAD_CONTENT_ENCODING, .protocolError, transient: false),
        Row(CURLE_WEIRD_SERVER_REPLY, .protocolError, transient: true),
        Row(CURLE_OUT_OF_MEMORY, .protocolError, transient: true),
    ]

    @Test("is a failure that passes or doesn't, with a sentence that names the server", arguments: rows)
    func table(_ row: Row) {
        let outcome = CurlOutcome(row.result, phase: row.phase, place: "example.org", detail: "")
        #expect(outcome.code == row.code)
        #expect(outcome.isTransient == row.isTransient)
        #expect(outcome.message.contains("example.org") || row.result == CURLE_COULDNT_RESOLVE_PROXY)
        #expect(!outcome.message.hasSuffix("."))
    }

    @Test("keeps libcurl's own words where it has them")
    func detail() {
        let outcome = CurlOutcome(
            CURLE_PEER_FAILED_VERIFICATION,
            phase: .connecting,
            place: "example.org",
            detail: "SSL certificate problem: certificate has expired"
        )
        #expect(outcome.message.hasSuffix("certificate has expired"))
    }

    @Test("of a file that can't be opened for want of descriptors or memory is one that passes")
    func shortage() {
        let ceiling = DescriptorCeiling { .max }
        for number in [EMFILE, ENFILE, ENOMEM] {
            guard case .interrupted(let failure, nil) = PartialError.system(number).end else {
                Issue.record("\(number)")
                continue
            }
            #expect(failure.code == .outOfResources)
            let shortage = Shortage(CURLE_COULDNT_CONNECT, socketError: number, ceiling: ceiling)?.failure
            #expect(shortage == failure)
        }
        #expect(Shortage(CURLE_COULDNT_CONNECT, socketError: ECONNREFUSED, ceiling: ceiling) == nil)
        #expect(Shortage(CURLE_COULDNT_CONNECT, socketError: 0, ceiling: ceiling) == nil)
        #expect(Shortage(CURLE_RECV_ERROR, socketError: EMFILE, ceiling: ceiling) == nil)
        // A lookup may have failed for what is short by now.
        let none = DescriptorCeiling { 0 }
        let shortage = Shortage(CURLE_COULDNT_RESOLVE_HOST, socketError: 0, ceiling: none)?.failure
        #expect(shortage?.code == .outOfResources)
    }

    @Test("of a write tells a full disk from a broken one")
    func partials() {
        func code(_ number: Int32) -> FailureCode? {
            guard case .interrupted(let failure, nil) = PartialError.system(number).end else { return nil }
            return failure.code
        }
        func damage(_ end: TransferEnd) -> FailureCode? {
            guard case .damaged(let failure) = end else { return nil }
            return failure.code
        }
        #expect(code(ENOSPC) == .diskFull)
        #expect(code(EDQUOT) == .diskFull)
        #expect(code(EACCES) == .storageError)
        #expect(damage(PartialError.system(EIO).end) == .storageError)
        #expect(damage(PartialError.system(EIO).endOfSync) == .storageError)
        #expect(damage(PartialError.system(ENOSPC).endOfSync) == .diskFull)
    }
}

@Suite("A budget of bytes")
struct RateBucketTests {
    @Test("fills at its rate, and is never ahead by more than a tenth of a second")
    func fills() {
        var bucket = RateBucket(rate: 1000, now: 0)
        #expect(!bucket.hasBytes)
        bucket.fill(now: 50)
        #expect(bucket.hasBytes)
        bucket.spend(50)
        #expect(!bucket.hasBytes)
        bucket.fill(now: 100_000)
        bucket.spend(100)
        #expect(!bucket.hasBytes)
    }

    @Test("that was overdrawn waits until it is made up for")
    func overdrawn() {
        var bucket = RateBucket(rate: 1000, now: 0)
        bucket.fill(now: 10)
        bucket.spend(1010)
        bucket.fill(now: 1010)
        #expect(!bucket.hasBytes)
        bucket.fill(now: 1011)
        #expect(bucket.hasBytes)
    }
}
