import ChildProtocol
import ListerProtocol

/// A trial of what a lister writes to the daemon.
enum ListerFrameTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let whole = frames(of: [bytes[...]])
        let pieces = Pieces(of: bytes)
        try promise(
            whole == frames(of: pieces.all),
            "the same bytes in pieces of \(pieces.length) are other frames"
        )
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
