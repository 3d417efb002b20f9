import CCurl
import ControlAPI
import FoundationEssentials

/// A client that sends requests to the daemon and waits for the answers, over a connection that is kept.
///
/// Not Sendable: it stays with the thread that made it.
final class ControlClient {
    /// The path of the socket.
    let socketPath: String
    private let handle: CurlHandle

    /// Creates a client for the socket at `socketPath`; the first request connects.
    init(socketPath: String) throws(ClientError) {
        self.socketPath = socketPath
        self.handle = try CurlHandle(socketPath: socketPath)
    }

    /// Sends a request and returns the response, whatever its status.
    ///
    /// - Parameter timeout: The time limit in seconds for the whole exchange.
    /// - Throws: ``ClientError`` if there is no answer.
    func exchange(_ request: HTTPRequest, timeout: Int = 60) throws(ClientError) -> HTTPResponse {
        handle.prepare(request, timeout: timeout)
        let code = handle.performPatiently()
        guard code == CURLE_OK else { throw handle.error(code) }
        return HTTPResponse(status: handle.status, body: handle.takeReceived())
    }

    /// Sends a request and decodes the answer as a `Value`.
    ///
    /// - Throws: ``RefusedItems`` for a batch with bad items, otherwise ``ClientError``.
    func ask<Value: Decodable>(
        _ request: HTTPRequest,
        for: Value.Type = Value.self,
        timeout: Int = 60
    ) throws -> Value {
        let response = try exchange(request, timeout: timeout)
        guard response.isSuccess else { throw Self.refusal(response, socketPath: socketPath) }
        return try Self.decode(Value.self, from: response.body, socketPath: socketPath)
    }

    /// Returns the error for a response without success.
    static func refusal(_ response: HTTPResponse, socketPath: String) -> any Error {
        guard
            let problem = try? JSONDecoder().decode(ProblemJSON.self, from: Data(response.body))
        else {
            var error = ClientError.unsuccessful(
                """
                The daemon at \(socketPath.safeForTerminal) answered with status \(response.status) and no \
                explanation: look at its own log (journalctl -u facefetchd).
                """
            )
            error.mayPass = HTTPResponse.isServerError(response.status)
            return error
        }
        if problem.code == ProblemCode.invalidItems.rawValue, let items = problem.errors, !items.isEmpty {
            return RefusedItems(problem: problem, items: items)
        }
        return ClientError(problem: problem)
    }

    /// The sentence for an answer that can't be read.
    static func senseless(socketPath: String) -> ClientError {
        .unsuccessful(
            """
            The answer from \(socketPath.safeForTerminal) makes no sense: client and daemon \
            may be of different versions (compare "facefetch --version" and "facefetchd --version").
            """
        )
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        socketPath: String
    ) throws(ClientError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw senseless(socketPath: socketPath)
        }
    }
}

/// The error of a batch that the daemon has refused because of some items.
struct RefusedItems: Error, Hashable, Sendable {
    /// The complete problem.
    var problem: ProblemJSON
    /// The errors of the refused items.
    var items: [ProblemJSON.ItemError]
}

extension ControlClient {
    /// Refuses a batch or a source that doesn't exist.
    ///
    /// A source that was removed still has its jobs, so that this is asked only where nothing was found.
    ///
    /// - Throws: the daemon's refusal.
    func refuseStrangers(batch: Int64?, source: String?) throws {
        let paths = [
            batch.map { "/v1/batches/\($0)" }, source.map { "/v1/sources/\($0.percentEncoded)" },
        ]
        for case let path? in paths {
            let response = try exchange(HTTPRequest("GET", path))
            if response.status == 404 { throw Self.refusal(response, socketPath: socketPath) }
        }
    }
}
