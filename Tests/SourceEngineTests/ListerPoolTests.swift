import Foundation
import Logging
import SourceCore
import TestSupport
import TestTraits
import Testing

@testable import Children

/// The real page readers, run by the pool as the daemon runs them.
@Suite(.ownThread) struct ListerPoolTests {
    private let folder: TemporaryDirectory
    private let pool: ListerPool

    init() throws {
        folder = try TemporaryDirectory()
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let lister = URL(filePath: tests).deletingLastPathComponent().appending(path: "facefetch-lister").path
        pool = ListerPool(
            configuration: ListerPoolConfiguration(
                executable: lister,
                pages: folder.path,
                timeout: .seconds(5)
            ),
            logger: Logger(label: "test")
        )
    }

    private static let program: ListerProgram = {
        var program = ListerProgram(kind: "json")
        program.items = ".items[]"
        program.url = ".url"
        program.more = ".more"
        return program
    }()

    private func read(
        _ page: String,
        _ program: ListerProgram = program
    ) async throws
        -> Result<ListerAnswer, ListerFailure>
    {
        let name = UUID().uuidString
        let path = try folder.write(Array(page.utf8), to: name)
        let request = ListerRequest(id: 0, path: path, url: "https://h/")
        return await pool.read(request, by: program, for: .source(1))
    }

    @Test("Pages are read one after the other, and what is wrong with one costs no other")
    func pages() async throws {
        let good = "{\"items\":[{\"url\":\"a.jpg\"}],\"more\":false}"
        for _ in 0..<3 { #expect(try await read(good).get().items.map(\.url) == ["a.jpg"]) }
        guard case .failure(let failure) = try await read("<html>") else { return #expect(Bool(false)) }
        #expect(failure.code == "unexpected_type")
        #expect(try await read(good).get().page.more == false)
        await pool.stop()
    }

    @Test("An expression that can't be compiled is named, and reads nothing")
    func problems() async throws {
        var program = Self.program
        program.more = ".more |"
        let problems = try await pool.problems(of: program, for: .daemon).get()
        #expect(problems.map(\.field) == ["more"])
        guard case .failure = try await read("{}", program) else { return #expect(Bool(false)) }
        #expect(try await pool.problems(of: Self.program, for: .daemon).get().isEmpty)
        await pool.stop()
    }

    @Test("An expression without end costs its page, not the pool")
    func endless() async throws {
        var program = Self.program
        program.items = "[range(0; 1e12)] | .[]"
        guard case .failure(let failure) = try await read("{\"items\":[]}", program) else {
            return #expect(Bool(false))
        }
        #expect(["reader_timed_out", "too_much_memory"].contains(failure.code))
        #expect(try await read("{\"items\":[],\"more\":false}").get().items.isEmpty)
        await pool.stop()
    }

    @Test("Without the program, a page fails in words")
    func missing() async throws {
        let pool = ListerPool(
            configuration: ListerPoolConfiguration(executable: "/nowhere/lister", pages: folder.path),
            logger: Logger(label: "test")
        )
        guard case .failure(let failure) = await pool.problems(of: Self.program, for: .daemon) else {
            return #expect(Bool(false))
        }
        #expect(failure.code == "reader_crashed")
        let words = "/nowhere/lister: No such file or directory; install facefetch-lister"
        #expect(failure.message.contains(words))
        #expect(await pool.check()?.hasPrefix("sources can't be read: ") == true)
        await pool.stop()
    }

    @Test("A check that the stop cuts off finds nothing wrong")
    func checkAtStop() async {
        async let check = pool.check()
        await pool.stop()
        #expect(await check == nil)
        #expect(await pool.check() == nil)
    }

    @Test("A check finds nothing wrong with readers that work")
    func check() async {
        #expect(await pool.check() == nil)
        await pool.stop()
    }
}
