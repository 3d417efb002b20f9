import SourceCore
import Vocabulary

@testable import Children

/// A trial of what a lister writes to the daemon, and of what the daemon hears of it.
enum ListerFrameTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let whole = frames(of: [bytes[...]])
        let pieces = Pieces(of: bytes)
        try promise(
            whole == frames(of: pieces.all),
            "the same bytes in pieces of \(pieces.length) are other frames"
        )
        for isGreeted in [false, true] {
            let heard = heard(of: [bytes[...]], isGreeted)
            try promise(heard == Self.heard(of: pieces.all, isGreeted), "in pieces it says something else")
            try promise(
                heard.parts == Array(whole.dropFirst(isGreeted ? 0 : 1).prefix(heard.parts.count)),
                "what is heard isn't what was said"
            )
            if let greeting = heard.greeting { try check(greeting) }
        }
        var text: String?
        for frame in whole {
            try promise(frame.bytes.count <= frame.kind.maximumLength + 4, "a frame is too long")
            switch frame.kind {
            case .items:
                guard let items = try? frame.decode([ListedItem].self) else { continue }
                try checkReturn(of: items)
                text = text ?? items.first?.url
            case .children: text = text ?? (try? frame.decode([ListedPage.Child].self))?.first?.url
            case .page: text = text ?? (try? frame.decode(ListedPage.self))?.badItems.first?.message
            case .failure: text = text ?? (try? frame.decode(ListerFailure.self))?.message
            case .greeting: text = text ?? (try? frame.decode(ListerGreeting.self))?.problems.first?.message
            case .values: text = text ?? (try? frame.decode(RecipeAnswer.self))?.problems.first?.message
            case .program, .request, .recipe: break
            }
        }
        return text
    }

    private static func frames(of pieces: [ArraySlice<UInt8>]) -> [ListerFrame] {
        var reader = ListerFrameReader()
        var frames: [ListerFrame] = []
        for piece in pieces {
            reader.append(piece)
            do throws(FrameError) {
                while let frame = try reader.next() { frames.append(frame) }
            } catch {
                return frames
            }
        }
        return frames
    }

    /// What is heard of a lister: the parts of answers behind a greeting.
    private struct Heard: Equatable {
        var greeting: ListerGreeting?
        var parts: [ListerFrame] = []
    }

    /// Has a lister heard as in the daemon; one that has greeted already may say something else.
    private static func heard(of pieces: [ArraySlice<UInt8>], _ isGreeted: Bool) -> Heard {
        var (speech, heard) = (ListerSpeech(), Heard())
        do {
            if isGreeted {
                speech.append(try ListerFrame(.greeting, ListerGreeting(problems: [])).bytes)
                _ = try speech.next()
            }
            for piece in pieces {
                speech.append(piece)
                while let message = try speech.next() {
                    switch message {
                    case .greeting(let greeting): heard.greeting = greeting
                    case .part(let frame): heard.parts.append(frame)
                    }
                }
            }
        } catch {
            // It can't be believed any more.
        }
        return heard
    }

    private static func check(_ greeting: ListerGreeting) throws(BrokenPromise) {
        let problems = greeting.problems
        try promise(problems.count <= 1000, "a program has \(problems.count) problems")
        try promise(
            problems.allSatisfy { $0.field.utf8.count <= 100 && $0.message.utf8.count <= 2000 }
                && greeting.warning?.utf8.count ?? 0 <= 2000,
            "a greeting has too many words"
        )
    }

    /// Items are written by hand, and have to be read as they were.
    private static func checkReturn(of items: [ListedItem]) throws(BrokenPromise) {
        var json: [UInt8] = [0x5B]
        for item in items {
            if json.count > 1 { json.append(0x2C) }
            item.write(into: &json)
        }
        let again = try? ListerFrame(.items, body: json + [0x5D]).decode([ListedItem].self)
        try promise(again == items, "items aren't the same after they were written again")
    }
}
