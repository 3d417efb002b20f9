import Dispatch
import Glibc
import Testing

@testable import ControlServer

@Suite("The API against its description, by a property-based client")
struct SchemathesisTests {
    /// The client: https://schemathesis.io, from PyPI.
    ///
    /// `FACEFETCH_SCHEMATHESIS` names it where it isn't in the path.
    static let program =
        getenv("FACEFETCH_SCHEMATHESIS").map { String(cString: $0) } ?? Shell.find("schemathesis")

    // Skipped where the client isn't installed: it is no part of a Debian system.
    @Test("no 500, no undocumented status, no schema violation", .enabled(if: program != nil))
    func conforms() async throws {
        let program = try #require(Self.program)
        // The client knows no unix sockets, so the same server answers on a loopback port.
        let (descriptor, port) = try Self.listenOnLoopback()
        let engine = InMemoryEngine()
        try await serve(on: .unchecked(descriptor: descriptor), testConfiguration(), engine: engine) {
            let result = try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            try Shell.run([
                                program, "run", "http://localhost:\(port)/v1/openapi.json",
                                "--checks", Self.checks.joined(separator: ","),
                                // Event streams don't end.
                                "--exclude-path", "/v1/events",
                                "--max-examples", "20", "--seed", "20261121", "--no-color",
                                "--generation-database", "none",
                            ])
                        }
                    )
                }
            }
            #expect(result.status == 0, "\(result.output)")
        }
    }

    private static let checks = [
        "not_a_server_error", "status_code_conformance", "content_type_conformance",
        "response_headers_conformance", "response_schema_conformance", "unsupported_method",
        "allow_header_conformance",
    ]

    private static func listenOnLoopback() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 100) | getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { throw UnixConnection.Failure(call: "bind", errno: errno) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
