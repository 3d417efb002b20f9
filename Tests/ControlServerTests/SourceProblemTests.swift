import ControlAPI
import JobModel
import SourceCore
import Testing
import Vocabulary

@testable import ControlServer
@testable import SourceEngine

@Suite("The problem of a source")
struct SourceProblemTests {
    @Test("names each wrong field of a recipe")
    func fields() {
        let problem = ProblemJSON(
            SourceRefusal.badRecipe([
                RecipeProblem("job.url", "is missing"), RecipeProblem("", "is not a mapping"),
            ])
        )
        #expect(problem.code == "bad_recipe")
        #expect(problem.detail == "job.url: is missing\nis not a mapping")
        #expect(problem.errors?.map(\.field) == ["job.url", ""])
        #expect(problem.errors?.map(\.reason) == ["is missing", "is not a mapping"])
    }

    @Test("has the code of what is wrong with a page for programs, as a source's last error has it")
    func page() throws {
        let failure = SourceFailure(.unexpectedType, "it is HTML", excerpt: "<html>")
        let problem = ProblemJSON(SourceRefusal.page(failure))
        #expect(problem.code == "unreadable_page")
        #expect(problem.pageError?.code == "unexpected_type" && problem.pageError?.excerpt == "<html>")
        let text = String(decoding: problem.json, as: UTF8.self)
        #expect(
            text.contains(
                #""page_error":{"code":"unexpected_type","excerpt":"<html>","message":"it is HTML"}"#
            )
        )
        #expect(!String(decoding: ProblemJSON(.notFound, "x").json, as: UTF8.self).contains("page_error"))
    }

    @Test("says of a source that doesn't run why, and shows nothing else of it")
    func unread() {
        let row = SourceRow(id: 1, name: "mars", recipe: "url: http://me:word@h/", state: "{}")
        let refused = SourceJSON(UnreadSource("mars", row, refusedBecause: "x: is unknown"))
        #expect(refused.name == "mars" && refused.state.code == .known(.failed) && refused.pages == 0)
        #expect(
            refused.state.reason?.contains("x: is unknown") == true && refused.lastError?.code == "bad_recipe"
        )
        #expect(refused.recipe.isEmpty && refused.url.isEmpty)
        let waiting = SourceJSON(UnreadSource("mars", row, waitingFor: nil))
        #expect(waiting.state.code == .known(.waiting) && waiting.lastError?.code == "reader_crashed")
    }
}
