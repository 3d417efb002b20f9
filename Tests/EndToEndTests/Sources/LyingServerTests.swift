import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Vocabulary

/// Servers that lie in every way, all at once under one real daemon.
struct LyingServerTests {
    @Test(
        "Every lie ends clearly, with one sentence that says what to do; the daemon stays small, and others go on"
    )
    func lies() async throws {
        let installation = try Installation()
        let origin = try Origin.start()
        defer { origin.stop() }
        let lies = Lie.endless + Lie.others + Lie.wrong + (try Lie.large(installation.directory))
        let answers = Dictionary(uniqueKeysWithValues: lies.map { ("/" + $0.name, $0.answer) })
        origin.serveOthers { request in
            guard let answer = answers[request.path] else { return OriginFile([1]).answer(to: request) }
            return answer(request, ListOrigin.parameter("page", of: request).flatMap { Int($0) } ?? 1)
        }
        let reporting = ["FACEFETCH_REPORTING_DSN": "http://k3y@127.0.0.1:9/1"]
        let daemon = try await installation.startDaemon(
            environment: Installation.plain.merging(reporting) { $1 }
        )
        for lie in lies {
            let added = try await installation.addSource(lie.recipe(origin), lie.name)
            #expect(added.status == 0, "\(lie.name): \(added.errors)")
        }
        try await killReaders(of: daemon, installation, origin)
        let list = try ListOrigin(count: 5)
        defer { list.origin.stop() }
        try await installation.addSource(list.recipe("good"), "good")
        _ = try #require(try await installation.source("good") { $0.state.code == .ended && $0.new == 5 })
        for lie in lies { try await check(lie, installation) }
        let table = try await installation.facefetch("source", "list").output
        for lie in lies where !lie.words.isEmpty {
            let line = table.split(separator: "\n").first { $0.hasPrefix("\(lie.name) ") }
            #expect(line?.contains(lie.words) == true, "\(lie.name): \(line ?? "")")
        }
        let keys = try await installation.allJobs().map { "\($0.source ?? "") \($0.itemKey ?? "")" }
        #expect(keys.count == Set(keys).count)
        // What a page, a bomb or 100 MB came to never was in the daemon.
        let memory = try #require(Self.mostMemory(of: daemon.id))
        #expect(memory < 150 << 20, "the daemon has had \(memory >> 20) MiB")
        #expect(await daemon.stop() == 0)
    }

    private func check(_ lie: Lie, _ installation: Installation) async throws {
        let over: [APIWord<SourceCondition>] = [.ended, .failed, .waiting].map { .known($0) }
        let source = try #require(
            try await installation.source(lie.name) { over.contains($0.state.code) },
            "\(lie.name)"
        )
        let found = "\(lie.name): \(source.state) \(source.lastError?.message ?? "")"
        #expect(source.state.code == .known(lie.state) && source.lastError?.code == lie.code, "\(found)")
        if let new = lie.new { #expect(source.new == new, "\(lie.name): \(source.new)") }
        #expect(source.lastError == nil || source.state.reason?.contains(";") == true, "\(found)")
    }

    /// A reader that is killed costs its page one more try, and nothing else.
    private func killReaders(of daemon: Program, _ installation: Installation, _ origin: Origin) async throws
    {
        let lie = Lie(
            name: "killed",
            fields: "items: 'if .loop then until(false; .) else .items[] end'",
            state: .waiting,
            code: "reader_crashed",
            answer: { request, _ in
                request.index == 0
                    ? Lie.text(#"{"loop":true,"items":[],"has_more":false}"#)
                    : Lie.page([1, 2], hasMore: false)
            }
        )
        origin.serve("/killed") { lie.answer($0, 1) }
        try await installation.addSource(lie.recipe(origin), lie.name)
        // The lister of this recipe alone has somebody who computes.
        let begun = ContinuousClock.now
        var killed = false
        while !killed, ContinuousClock.now - begun < .seconds(300) {
            for reader in Self.readers(of: daemon.id) where Self.processorTicks(of: reader) > 20 {
                kill(reader, SIGKILL)
                killed = true
            }
        }
        #expect(killed)
        let waiting = try #require(try await installation.source("killed") { $0.state.code == .waiting })
        #expect(waiting.lastError?.code == "reader_crashed" && waiting.state.reason?.contains(";") == true)
        _ = try await installation.facefetch("source", "poll", "killed")
        let ended = try #require(try await installation.source("killed") { $0.state.code == .ended })
        #expect(ended.new == 2 && ended.lastError == nil && ended.walk?.number == 1)
        #expect(origin.requests("/killed").count == 2)
        // And it is told to whom the daemon reports its own faults.
        let reports = installation.directory.path("state/reports")
        #expect(
            await FolderWatch.until(in: reports) {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: reports)) ?? []
                return names.contains { name in
                    let text = (try? String(contentsOfFile: reports + "/" + name, encoding: .utf8)) ?? ""
                    return text.contains(#""child_ended","page reader","SIGKILL"]"#)
                }
            }
        )
    }

    // MARK: - /proc

    /// The processes that read one page each: the children of the children of listers.
    private static func readers(of daemon: Int32) -> [Int32] {
        var parents: [Int32: Int32] = [:]
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for id in entries.compactMap({ Int32($0) }) {
            if let parent = stat(id).flatMap({ Int32($0[1]) }) { parents[id] = parent }
        }
        return parents.keys.filter { id in
            parents[id].flatMap { parents[$0] }.flatMap { parents[$0] } == daemon
        }
    }

    private static func processorTicks(of id: Int32) -> Int { stat(id).flatMap { Int($0[11]) } ?? 0 }

    /// The fields of proc(5)'s stat after the program's name.
    private static func stat(_ id: Int32) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[end...].dropFirst(2).split(separator: " ")
    }

    private static func mostMemory(of id: Int32) -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
