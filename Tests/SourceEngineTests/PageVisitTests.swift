import Foundation
import HTTPRules
import JobCore
import ListerProtocol
import Synchronization
import TestSupport
import Testing

@testable import SourceCore
@testable import SourceEngine

/// Tests of how a page is asked for, by what its server answers.
struct PageVisitTests {
    /// A server that redirects, and takes one ETag for another.
    private final class Pages: PagePort {
        private let asked = Mutex<[Bool]>([])
        let target: String

        init(target: String) { self.target = target }

        /// True if each request had a condition.
        var conditions: [Bool] { asked.withLock { $0 } }

        func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> {
            let isConditional = request.fields.contains { $0.name == "If-None-Match" }
            asked.withLock { $0.append(isConditional) }
            guard let url = try? JobURL(target), keep(Array("{}".utf8), in: request.file) == nil else {
                return .failure(.cancelled)
            }
            return .success(
                PageAnswer(status: isConditional ? 304 : 200, fields: [], url: url, length: 2)
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
            .success(ListerAnswer(items: [], page: ListedPage()))
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
}
