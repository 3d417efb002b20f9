import SourceCore
import Vocabulary

/// A lister's answer about a recipe, of which it has read a stranger's bytes: what no honest one says ends
/// it.
struct AnsweredRecipe {
    /// The most pieces of a recipe, and the most bytes of all of them.
    private static let mostPieces = 10_000
    private static let longest = 4 << 20
    /// The most problems of a recipe.
    private static let mostProblems = 1000

    let id: UInt64

    /// Returns the answer, all of which is in one frame.
    func receive(_ frame: ListerFrame) throws(Misbehaviour) -> Result<RecipeAnswer, ListerFailure> {
        guard frame.id == id else { throw Misbehaviour("an answer that nobody asked for") }
        switch frame.kind {
        case .values:
            guard let answer = try? frame.decode(RecipeAnswer.self) else {
                throw Misbehaviour("a message that can't be read")
            }
            return .success(try Self.checked(answer))
        case .failure:
            guard let failure = try? frame.decode(ListerFailure.self) else {
                throw Misbehaviour("a message that can't be read")
            }
            return .failure(failure.limited)
        case .program, .greeting, .request, .items, .children, .page, .recipe:
            throw Misbehaviour("a message that isn't its to send")
        }
    }

    private static func checked(_ answer: RecipeAnswer) throws(Misbehaviour) -> RecipeAnswer {
        var answer = answer
        guard answer.pieces.count <= mostPieces,
            answer.pieces.reduce(0, { $0 + $1.utf8.count }) <= longest,
            answer.shown?.utf8.count ?? 0 <= longest,
            answer.pieces.isEmpty != answer.problems.isEmpty
        else { throw Misbehaviour("a recipe that can't be") }
        answer.problems = answer.problems.prefix(mostProblems).map {
            .init(field: $0.field.limited(toBytes: 300), message: $0.message.limited(toBytes: 2100))
        }
        return answer
    }
}
