import ControlAPI
import SourceCore
import SourceEngine
import Testing

@testable import ControlServer

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
}
