import SourceCore
import Vocabulary

/// Splits what a lister writes into what it says: a greeting, then the parts of answers.
struct ListerSpeech: ChildSpeech {
    /// Something that it has said.
    enum Message: Sendable {
        case greeting(ListerGreeting)
        case part(ListerFrame)
    }

    /// The most problems of a program: some of each of its expressions.
    private static let mostProblems = 1000

    private var reader = ListerFrameReader()
    private var hasGreeted = false

    /// Adds bytes that have arrived.
    mutating func append(_ bytes: some Sequence<UInt8>) { reader.append(bytes) }

    /// Returns the next message; nil if more bytes have to arrive first.
    mutating func next() throws(Misbehaviour) -> Message? {
        let next: ListerFrame?
        do throws(FrameError) {
            next = try reader.next()
        } catch {
            throw Misbehaviour(error)
        }
        guard let frame = next else { return nil }
        guard frame.kind == .greeting else {
            guard hasGreeted else { throw Misbehaviour("an answer that nobody asked for") }
            return .part(frame)
        }
        guard !hasGreeted else { throw Misbehaviour("a second greeting") }
        hasGreeted = true
        return .greeting(try Self.greeting(frame))
    }

    /// Returns a greeting with no more words than one has.
    private static func greeting(_ frame: ListerFrame) throws(Misbehaviour) -> ListerGreeting {
        guard var greeting = try? frame.decode(ListerGreeting.self),
            greeting.version == ListerGreeting.current
        else { throw Misbehaviour("speaks another version; install the lister that came with this daemon") }
        greeting.problems = greeting.problems.prefix(mostProblems).map {
            .init(field: $0.field.limited(toBytes: 100), message: $0.message.limited(toBytes: 2000))
        }
        greeting.warning = greeting.warning?.limited(toBytes: 2000)
        return greeting
    }
}
