import ControlAPI
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Attention on the control socket")
struct AttentionRoutesTests {
    @Test("What a client looks at goes first, for as long as it says")
    func order() async throws {
        try await withServer { server in
            try await server.addFiles(4)
            let answer = try await server.send(
                "PUT",
                "/v1/attention/tab-1",
                #"{"visible":[3],"near":[4]}"#
            )
            #expect(answer.status == 200)
            #expect(try answer.decoded(as: AttentionJSON.self).lease == 15)
            try await server.engine.settle()
            #expect(
                server.engine.engine.interests()
                    == [JobID(rawValue: 3): .visible, JobID(rawValue: 4): .near]
            )
            // The only permit's job has hardly begun, so it gives way at once.
            try await server.engine.end(1, .stopped)
            try await server.engine.settle()
            #expect(try await server.job(3).state.known == .downloading)
            #expect(try await server.job(1).state.known == .queued)
            #expect(try await server.send("PUT", "/v1/attention/tab-1", "{}").status == 200)
            try await server.engine.settle()
            #expect(server.engine.engine.interests().isEmpty)
        }
    }

    @Test(
        "What makes no sense is refused, in words",
        arguments: [
            ("[]", "object"), (#"{"seen":[1]}"#, "unknown key"),
            (#"{"visible":1}"#, "visible must be an array"), (#"{"near":[0]}"#, "near must be an array"),
            (#"{"near":["1"]}"#, "integers"),
            (
                #"{"visible":[\#((1...251).map(String.init).joined(separator: ","))],"#
                    + #""near":[\#((301...550).map(String.init).joined(separator: ","))]}"#, "500"
            ),
            (#"{"visible":[\#((1...501).map(String.init).joined(separator: ","))]}"#, "500"),
        ]
    )
    func refused(body: String, word: String) async throws {
        try await withServer { server in
            let answer = try await server.send("PUT", "/v1/attention/tab-1", body)
            #expect(answer.status == 422)
            #expect(try answer.decoded(as: ProblemJSON.self).detail.contains(word))
        }
    }

    @Test("500 jobs are not too many, and a name is one plain word")
    func bounds() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let ids = (1...500).map(String.init).joined(separator: ",")
            #expect(try await server.send("PUT", "/v1/attention/a", #"{"visible":[\#(ids)]}"#).status == 200)
            #expect(try await server.send("PUT", "/v1/attention/a%2Fb", "{}").status == 404)
            #expect(try await server.send("PUT", "/v1/attention/a", "").status == 400)
            #expect(try await server.send("GET", "/v1/attention/a").status == 405)
        }
    }
}
