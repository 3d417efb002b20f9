import JobCore
import JobModel
import Testing
import Vocabulary

@testable import SourceCore
@testable import SourceEngine

/// Tests of what a bucket's server says of its region.
struct BucketRegionTests {
    /// A server that gives one answer.
    private struct OneAnswer: PagePort {
        var answer: PageAnswer

        func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> { .success(answer) }
        func keep(_ page: [UInt8], in file: String) -> JobFailure? { nil }
    }

    /// A reader for which an error's body says this.
    private struct OneFailure: ReaderPort {
        var failure: ListerFailure

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
        ) async -> Result<ListerAnswer, ListerFailure> { .failure(failure) }
    }

    private static func run(
        _ status: Int,
        _ fields: [(String, String)],
        code: String? = nil,
        region: String? = nil
    ) async throws -> PageResult {
        var recipe = Recipe(name: "s", url: try URLTemplate("s3://photos/"))
        recipe.kind = .s3
        var failure = ListerFailure("unexpected_type", "no listing")
        (failure.bucketCode, failure.region) = (code, region)
        let visit = PageVisit(
            recipe: recipe,
            pages: OneAnswer(
                answer: PageAnswer(
                    status: status,
                    fields: fields.map { .init(name: $0.0, value: $0.1) },
                    url: try JobURL("https://photos.s3.amazonaws.com/"),
                    length: 0
                )
            ),
            reader: OneFailure(failure: failure),
            secrets: SecretsFolder(directories: []),
            file: "/nowhere/1.page",
            now: { Moment(microseconds: 1_000_000_000_000_000) }
        )
        let plan = PagePlan(part: .pages(nil), cursor: .start, validators: nil, mayBeUnchanged: false)
        return await visit.run(plan).result
    }

    @Test("The region is corrected where only the header field names it, and the body goes first")
    func region() async throws {
        let field = ("X-Amz-Bucket-Region", "eu-west-1")
        guard case .otherRegion("eu-west-1") = try await Self.run(301, [field]) else {
            return #expect(Bool(false), "the field is ignored")
        }
        guard case .otherRegion("eu-west-2") = try await Self.run(400, [field], region: "eu-west-2") else {
            return #expect(Bool(false), "the body is ignored")
        }
        guard case .failed = try await Self.run(403, [("X-Amz-Bucket-Region", "us-east-1")]) else {
            return #expect(Bool(false), "the region is right")
        }
    }

    @Test("A clock that is wrong is told with by how much")
    func clock() async throws {
        // Sun, 09 Sep 2001 01:46:40 GMT is the machine's time.
        let date = ("Date", "Sun, 09 Sep 2001 02:46:40 GMT")
        guard case .failed(let failure, _) = try await Self.run(403, [date], code: "RequestTimeTooSkewed")
        else { return #expect(Bool(false)) }
        #expect(failure.message.contains("by 3600 s"), "\(failure.message)")
    }
}
