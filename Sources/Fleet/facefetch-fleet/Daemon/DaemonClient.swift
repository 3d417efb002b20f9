import CCurl
import ControlAPI
import FoundationEssentials
import HTTPRequests

/// A client of the daemon's control socket, over a connection that is kept.
///
/// Not Sendable: it stays with the thread that made it.
final class DaemonClient {
    private let handle: EasyHandle
    private let socket: String
    private let timeout: Int
    private var received: [UInt8] = []
    /// True if the last request had no answer.
    private(set) var isAway = false

    /// Creates a client, which connects with the first request; each has so many seconds.
    init(socket: String, timeout: Int) throws(DaemonError) {
        guard let handle = EasyHandle() else { throw .unreachable("libcurl has no memory") }
        self.handle = handle
        self.socket = socket
        self.timeout = max(1, timeout)
    }

    /// Sends a request and decodes the answer.
    func ask<Value: Decodable>(
        _ method: String,
        _ target: String,
        headers: [String] = [],
        body: [UInt8]? = nil,
        for: Value.Type = Value.self
    ) throws(DaemonError) -> Value {
        let data = Data(try answer(method, target, headers: headers, body: body))
        do { return try JSONDecoder().decode(Value.self, from: data) } catch { throw Self.senseless }
    }

    /// Sends a request and returns the bytes of the answer.
    func answer(
        _ method: String,
        _ target: String,
        headers: [String] = [],
        body: [UInt8]? = nil
    ) throws(DaemonError) -> [UInt8] {
        prepare(method, target, headers: headers, body: body)
        let code = handle.performPatiently()
        isAway = code != CURLE_OK
        guard code == CURLE_OK else {
            throw .unreachable("the daemon can't be reached: \(EasyHandle.words(code))")
        }
        let status = handle.status
        defer { received = [] }
        guard (200..<300).contains(status) else {
            guard let problem = try? JSONDecoder().decode(ProblemJSON.self, from: Data(received)) else {
                throw .unreachable("the daemon answered with status \(status) and no explanation")
            }
            throw .refused(problem)
        }
        return received
    }

    /// The error of an answer that can't be read.
    static let senseless = DaemonError.unreachable(
        "the daemon's answer makes no sense; is it of another version?"
    )

    private func prepare(_ method: String, _ target: String, headers lines: [String], body: [UInt8]?) {
        received = []
        handle.prepare(
            method,
            target,
            at: socket,
            headers: lines,
            body: body,
            type: "application/json",
            timeout: timeout,
            agent: "facefetch-fleet/\(ProductVersion.current)"
        )
        handle.receive { [unowned self] piece in
            received.append(contentsOf: piece)
            return true
        }
    }
}

/// The reason why a daemon did not do as it was asked.
enum DaemonError: Error, Hashable, Sendable {
    /// It can't be reached, or gave no answer that makes sense: nobody knows whether it has done it.
    case unreachable(String)
    /// It refused it.
    case refused(ProblemJSON)

    /// A sentence for people.
    var words: String {
        switch self {
        case .unreachable(let reason): reason
        case .refused(let problem): problem.detail
        }
    }

    /// True if it says that there is no such thing.
    var isMissing: Bool { if case .refused(let problem) = self { problem.status == 404 } else { false } }
}
