import JobCore
import ListerProtocol
import SourceCore
import Testing

@testable import SourceEngine

/// What becomes of a lister's answer.
struct PageContentTests {
    static let page = URLReference("https://h/a/list")

    static func recipe(_ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        change(&recipe)
        return recipe
    }

    /// An answer with items that can't become jobs.
    private static func bad() -> ListerAnswer {
        var answer = ListerAnswer(items: [], page: ListedPage())
        answer.items = [ListedItem(url: "file:///a"), ListedItem(url: "file:///b")]
        answer.page.listed = 2
        return answer
    }

    @Test("A page with bad items only is of another shape; a piece of a list in rows is read")
    func allBad() throws {
        let recipe = try Self.recipe()
        #expect(throws: SourceFailure.self) {
            _ = try PageContent(Self.bad(), of: recipe, at: Self.page, Variables())
        }
        let rows = try PageContent(
            Self.bad(),
            of: try Self.recipe { $0.kind = .csv },
            at: Self.page,
            Variables()
        )
        #expect(rows.bad == 2 && rows.listed == 2 && rows.items.isEmpty && rows.badItems.count == 2)
    }
}
