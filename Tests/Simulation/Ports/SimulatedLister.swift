import Foundation
import JobCore
import JobModel
import Vocabulary

@testable import JobEngine
@testable import SourceCore
@testable import SourceEngine

/// The servers that have lists, and the process that reads their pages.
final class SimulatedLister: PagePort, ReaderPort, @unchecked Sendable {
    private unowned let sources: SimulatedSources
    /// What was fetched, by its file.
    private var fetched: [String: (list: SimulatedList, page: SimulatedPage)] = [:]

    init(_ sources: SimulatedSources) { self.sources = sources }

    private var world: World { sources.life.world }

    // MARK: - Pages

    func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> {
        guard let list = list(of: request.url), sources.life.acts() else { return .failure(.cancelled) }
        let (count, now) = (world.countPage(of: list.number), world.seconds)
        var chance = Chance(world.scenario.seed, "page", list.number, count)
        world.promises.lists.asks(list, in: world)
        let isCut = world.isLineDown || list.kind(at: now) == .dropping
        let seconds = isCut ? chance.pick([2, 30]) : chance.scaled(0.01...3)
        return await sources.wait(seconds, for: list.number, orElse: .failure(.cancelled)) { [self] in
            answer(request, list, &chance, isCut: isCut || world.isLineDown)
        }
    }

    private func list(of url: JobURL) -> SimulatedList? {
        let digits = url.text.dropFirst("http://list".count).prefix { $0 != "." }
        return Int(digits).flatMap {
            world.scenario.lists.indices.contains($0) ? world.scenario.lists[$0] : nil
        }
    }

    private func answer(
        _ request: PageRequest,
        _ list: SimulatedList,
        _ chance: inout Chance,
        isCut: Bool
    ) -> Result<PageAnswer, PageFetchError> {
        let tracker = world.promises.lists
        let kind = list.kind(at: world.seconds)
        if isCut {
            tracker.hears(list, .failure(.connection))
            return .failure(.connection(JobFailure(.timedOut, "connecting took too long")))
        }
        if world.seconds < world.disk.isFullUntil {
            tracker.hears(list, .noRoom)
            return .failure(.storage(JobFailure(.diskFull, "the disk is full")))
        }
        let parts = request.url.text.split(separator: "?").last?.split(separator: "=") ?? []
        let number = parts.first == "page" ? parts.last.flatMap { Int($0) } ?? 1 : 1
        let after = parts.first == "after" ? parts.last.flatMap { Int($0) } : nil
        if let answer = refusal(request, list, kind, &chance, isFirst: number == 1 && after == nil) {
            return .success(answer)
        }
        guard let page = SimulatedPage(of: list, number: number, after: after, at: world.seconds) else {
            tracker.hears(list, .pastEnd)
            return .success(PageAnswer(status: 404, fields: [], url: request.url, length: 0))
        }
        if page.isLie { tracker.lies(list) }
        return .success(send(page, of: list, request))
    }

    /// Returns the answer of a server that doesn't give its pages; nil if it does.
    private func refusal(
        _ request: PageRequest,
        _ list: SimulatedList,
        _ kind: SimulatedList.Kind,
        _ chance: inout Chance,
        isFirst: Bool
    ) -> PageAnswer? {
        var answer = PageAnswer(status: 0, fields: [], url: request.url, length: 0)
        var wait: Double?
        var isLimit = false
        switch kind {
        case .erring where chance.happens(0.5): answer.status = 500
        case .busy:
            answer.status = 429
            wait = Double(chance.integer(1...20_000))
            answer.fields = [.init(name: "Retry-After", value: "\(Int(wait ?? 0))")]
        case .busyWordless: answer.status = 429
        case .quota:
            answer.status = 403
            wait = Double(chance.integer(1...4000))
            isLimit = true
            answer.fields = [
                .init(name: "X-RateLimit-Remaining", value: "0"),
                .init(name: "X-RateLimit-Reset", value: "\(Int(wait ?? 0))"),
            ]
        case .forbidding: answer.status = 403
        case .missing: answer.status = 404
        case .gone: answer.status = 410
        default: return nil
        }
        // A list that counts pages has ended there, as far as anybody can tell.
        if !isFirst, [404, 410].contains(answer.status) { world.promises.lists.lies(list) }
        world.promises.lists.hears(
            list,
            isLimit ? .limited(wait) : .status(answer.status, wait, isFirst: isFirst)
        )
        return answer
    }

    private func send(_ page: SimulatedPage, of list: SimulatedList, _ request: PageRequest) -> PageAnswer {
        let text = "\(page.items) \(String(describing: page.next))"
        var answer = PageAnswer(status: 200, fields: [], url: request.url, length: Int64(text.utf8.count))
        world.promises.lists.sends(list)
        if let age = list.maxAge {
            answer.fields.append(.init(name: "Cache-Control", value: "max-age=\(age)"))
        }
        if list.hasTags {
            let tag = "\"\(PageFingerprint(keys: [text]).hexadecimal)\""
            answer.fields.append(.init(name: "ETag", value: tag))
            if request.fields.contains(where: { $0.name == "If-None-Match" && $0.value == tag }) {
                world.promises.lists.hears(list, .page)
                answer.status = 304
                return answer
            }
        }
        _ = FileManager.default.createFile(atPath: request.file, contents: Data(text.utf8))
        fetched[request.file] = (list, page)
        return answer
    }

    func keep(_ page: [UInt8], in file: String) -> JobFailure? { nil }

    // MARK: - Reading

    func recipe(
        _ request: RecipeRequest,
        for asker: ListerAsker
    ) async -> Result<RecipeAnswer, ListerFailure> { .success(RecipeAnswer(pieces: [], shown: nil)) }

    func problems(
        of program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<[ListerGreeting.Problem], ListerFailure> { .success([]) }

    func read(
        _ request: ListerRequest,
        by program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<ListerAnswer, ListerFailure> {
        let cancelled = Result<ListerAnswer, ListerFailure>.failure(
            ListerFailure("reader_crashed", "cancelled")
        )
        guard let (list, page) = fetched.removeValue(forKey: request.path) else { return cancelled }
        var chance = Chance(world.scenario.seed, "reading", list.number, world.countPage(of: list.number))
        let kind = list.kind(at: world.seconds)
        var failure: ListerFailure?
        var seconds = chance.scaled(0.005...0.5)
        switch kind {
        case .shapeless: failure = ListerFailure("unexpected_shape", "items: this gives nothing")
        case .crashing where chance.happens(0.7):
            failure = ListerFailure("reader_crashed", "the process that reads pages crashed")
        case .crashing where chance.happens(0.3):
            (failure, seconds) = (ListerFailure("reader_timed_out", "reading the page took too long"), 60)
        case .ending where chance.happens(0.7):
            world.promises.lists.endsDaemon(list)
            sources.life.after(seconds) { [unowned sources] in sources.life.die() }
            seconds = 10_000
        default: break
        }
        return await sources.wait(seconds, for: list.number, orElse: cancelled) { [self] in
            let code = failure.flatMap { SourceFailure.Code(rawValue: $0.code) }
            world.promises.lists.hears(list, code.map { .failure($0) } ?? .page)
            return failure.map { .failure($0) } ?? .success(content(page, of: list))
        }
    }

    private func content(_ page: SimulatedPage, of list: SimulatedList) -> ListerAnswer {
        var listed = ListedPage()
        (listed.listed, listed.next) = (page.items.count, page.next)
        let items = page.items.map { ListedItem(url: list.pictureURL(of: $0), key: "i\($0)") }
        return ListerAnswer(items: items, page: listed)
    }
}
