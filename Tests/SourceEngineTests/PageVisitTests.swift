import Foundation
import JobCore
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import SourceCore
@testable import SourceEngine

/// Tests of how a page is asked for, by what its server answers.
struct PageVisitTests {
    /// A server that redirects, and takes one ETag for another.
    private final class Pages: PagePort {
        private let asked = Mutex<[Bool]>([])
        private let sent = Mutex<[String?]>([])
        let target: String
        /// The answer's status and fields.
        private let status: Int
        private let fields: [PageRequest.Field]

        init(target: String, status: Int = 200, fields: [PageRequest.Field] = []) {
            (self.target, self.status, self.fields) = (target, status, fields)
        }

        /// The bodies of the requests.
        var bodies: [String?] { sent.withLock { $0 } }

        /// True if each request had a condition.
        var conditions: [Bool] { asked.withLock { $0 } }

        func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> {
            let isConditional = request.fields.contains { $0.name == "If-None-Match" }
            asked.withLock { $0.append(isConditional) }
            sent.withLock { $0.append(request.body) }
            guard let url = try? JobURL(target), keep(Array("{}".utf8), in: request.file) == nil else {
                return .failure(.cancelled)
            }
            return .success(
                PageAnswer(status: isConditional ? 304 : status, fields: fields, url: url, length: 2)
            )
        }

        func keep(_ page: [UInt8], in file: String) -> JobFailure? {
            let isKept = (try? Data(page).write(to: URL(filePath: file))) != nil
            return isKept ? nil : JobFailure(.storageError, "it can't be written")
        }
    }

    private struct Reader: ReaderPort {
        func recipe(
            _ request: RecipeRequest,
            for asker: ListerAsker
        ) async -> Result<RecipeAnswer, ListerFailure> { .success(RecipeAnswer(problems: [])) }

        func problems(
            of program: ListerProgram,
            for asker: ListerAsker
        ) async -> Result<[ListerGreeting.Problem], ListerFailure> { .success([]) }

        func read(
            _ request: ListerRequest,
            by program: ListerProgram,
            for asker: ListerAsker
        ) async -> Result<ListerAnswer, ListerFailure> {
            var page = ListedPage()
            if request.asksBody == true {
                page.body =
                    "{\"next\":" + ((try? String(contentsOfFile: request.path, encoding: .utf8)) ?? "") + "}"
            } else if program.body != nil {
                page.next = .value("{\"after\":2}")
            }
            return .success(ListerAnswer(items: [], page: page))
        }
    }

    @Test("That a page hasn't changed counts only from the URL that it came from")
    func moved() async throws {
        let folder = try TemporaryDirectory()
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        recipe.items = ".[]"
        var head = PageHead()
        head.etag = "\"1\""
        let validators = PageValidators(head, sha256: nil, url: "https://h/a")
        let plan = PagePlan(part: .pages(nil), cursor: .start, validators: validators, mayBeUnchanged: true)
        for (target, conditions) in [("https://h/a", [true]), ("https://h/b", [true, false])] {
            let pages = Pages(target: target)
            let visit = PageVisit(
                recipe: recipe,
                pages: pages,
                reader: Reader(),
                secrets: SecretsFolder(directories: []),
                file: folder.path("page"),
                now: { Moment(microseconds: 1) }
            )
            let result = await visit.run(plan).result
            #expect(pages.conditions == conditions)
            switch result {
            case .unchanged: #expect(conditions.count == 1)
            case .page: #expect(conditions.count == 2)
            default: Issue.record("\(result)")
            }
        }
    }

    private func visit(_ recipe: Recipe, _ pages: Pages, _ folder: TemporaryDirectory) -> PageVisit {
        PageVisit(
            recipe: recipe,
            pages: pages,
            reader: Reader(),
            secrets: SecretsFolder(directories: []),
            file: folder.path("page"),
            now: { Moment(microseconds: 1) }
        )
    }

    @Test("A request with a body has one made of what next gave, and no condition")
    func body() async throws {
        let folder = try TemporaryDirectory()
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        recipe.items = ".[]"
        recipe.request = PostRecipe(body: "{next: $next}")
        recipe.next = .expression(".next")
        var head = PageHead()
        head.etag = "\"1\""
        let validators = PageValidators(head, sha256: nil, url: "https://h/list")
        let pages = Pages(target: "https://h/list")
        let first = PagePlan(part: .pages(nil), cursor: .start, validators: validators, mayBeUnchanged: true)
        guard case .page(let content, _) = await visit(recipe, pages, folder).run(first).result else {
            return #expect(Bool(false))
        }
        #expect(content.next == .post(url: nil, next: "{\"after\":2}"))
        let cursor = Cursor(page: 2, offset: 1, place: .post(url: "https://h/other", next: "{\"after\":2}"))
        let second = PagePlan(part: .pages(nil), cursor: cursor, validators: nil, mayBeUnchanged: false)
        let (_, record) = await visit(recipe, pages, folder).run(second)
        #expect(record.url == "https://h/other")
        #expect(
            pages.bodies == ["{\"next\":null}", "{\"next\":{\"after\":2}}"]
                && pages.conditions == [false, false]
        )
    }

    @Test("403 without requests left is a matter of time, and any other is one of rights")
    func rateLimit() async throws {
        let folder = try TemporaryDirectory()
        let recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        let plan = PagePlan(part: .pages(nil), cursor: .start, validators: nil, mayBeUnchanged: false)
        for (left, code) in [("0", SourceFailure.Code.rateLimited), ("5", .unauthorized)] {
            let fields = [("X-RateLimit-Remaining", left), ("X-RateLimit-Reset", "90")]
            let pages = Pages(
                target: "https://h/list",
                status: 403,
                fields: fields.map { .init(name: $0.0, value: $0.1) }
            )
            guard
                case .failed(let failure, let retryAfter) = await visit(recipe, pages, folder).run(plan)
                    .result
            else {
                return #expect(Bool(false))
            }
            #expect(failure.code == code && retryAfter == (left == "0" ? 90 : nil))
        }
    }
}
