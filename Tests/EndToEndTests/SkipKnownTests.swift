import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Lists that are added again and again, of which only what is new is fetched.
@Suite(.timeLimit(.minutes(2)))
struct SkipKnownTests {
    @Test("A list that has grown is added again, and only what is new is fetched")
    func grown() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let jpeg = try PaintedPicture(faces: 1, seed: 1).jpeg()
        for number in 1...4 { origin.serve("/\(number).jpg", OriginFile(jpeg)) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        func add(_ numbers: [Int], _ argument: String? = nil) async throws -> String {
            let lines = numbers.map { origin.url("/\($0).jpg") }.joined(separator: "\n")
            try installation.directory.write(Array(lines.utf8), to: "list.txt")
            let list = installation.directory.path("list.txt")
            let added =
                if let argument {
                    try await installation.facefetch("add", "--skip-known", "--from", list, argument)
                } else {
                    try await installation.facefetch("add", "--skip-known", "--from", list)
                }
            #expect(added.status == 0, "\(added.errors)")
            return added.output
        }
        #expect(try await add([1, 2, 2], "--wait").contains("2 new, 1 known."))
        #expect(try await add([1, 2, 3, 4], "--wait").contains("2 new, 2 known."))
        #expect(try await add([1, 2, 3, 4]) == "0 new, 4 known.\n")
        #expect(try await add([1, 2, 3, 4], "--wait") == "0 new, 4 known.\n")
        #expect(try await add([4], "--json") == "{\"batch\":null,\"known\":1}\n")
        for number in 1...4 { #expect(origin.requests("/\(number).jpg").count == 1) }
        #expect(await daemon.stop() == 0)
    }
}
