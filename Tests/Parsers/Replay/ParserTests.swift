import Foundation
import Testing

@Suite("Readers of foreign bytes keep their promises")
struct ParserTests {
    /// The number of inputs near the corpus that each reader gets.
    static let mutations =
        ProcessInfo.processInfo.environment["FACEFETCH_PARSER_MUTATIONS"].flatMap { Int($0) } ?? 1000

    @Test("with what is in the corpus", arguments: ParserTrial.allCases)
    func corpus(trial: ParserTrial) throws {
        let inputs = try Corpus.inputs(of: trial)
        #expect(!inputs.isEmpty)
        for input in inputs {
            do throws(BrokenPromise) {
                _ = try trial.read(input.bytes)
            } catch {
                Issue.record("\(input.name): \(error)")
            }
        }
    }

    @Test("with what is near it", arguments: ParserTrial.allCases)
    func mutations(trial: ParserTrial) throws {
        var mutator = Mutator(seed: 1, inputs: try Corpus.inputs(of: trial).map(\.bytes))
        for _ in 0..<Self.mutations {
            let bytes = mutator.next()
            do throws(BrokenPromise) {
                _ = try trial.read(bytes)
            } catch {
                Issue.record("\(error): \(Data(bytes).base64EncodedString())")
                return
            }
        }
    }

    @Test("and get so far that a bug planted behind them can be found", arguments: ParserTrial.allCases)
    func reach(trial: ParserTrial) throws {
        let inputs = try Corpus.inputs(of: trial)
        let texts = try inputs.compactMap { try trial.read($0.bytes) }
        // The fuzzer's self-check begins with this one.
        let short = try #require(inputs.first { $0.name == "short" })
        #expect(try trial.read(short.bytes)?.utf8.count ?? 0 >= 4, "it doesn't get through")
        #expect(!texts.contains(where: PlantedBug.isHit), "the corpus gives it away")
    }
}
