/// Undoes all codings of a body, be it a file's or a page's, and knows whether they ended as they should.
///
/// Nothing of that is left to libcurl: it never asks whether a coding has ended.
final class BodyDecoder {
    private let outer: Inflater
    /// The decoder of the inner coding; nil for a single coding.
    private let inner: Inflater?

    /// The most bytes of one coding that are put into the next at once: a thousand times as many may come out.
    private static let innerPiece = 4 << 10

    /// Creates a decoder for codings in the order in which they are undone; nil if there are none, or if they
    /// can't be undone.
    init?(_ codings: [String]) {
        let known = codings.compactMap(Inflater.Coding.init)
        guard let first = known.first, known.count == codings.count, known.count <= 2 else { return nil }
        outer = known.count == 1 ? Inflater(first) : Inflater(first, pieceSize: Self.innerPiece)
        inner = known.count == 1 ? nil : known.last.map { Inflater($0) }
    }

    /// True if the bytes so far are a whole body; no bytes are one as well.
    var isWhole: Bool { outer.isWhole && inner?.isWhole != false }

    /// True if any bytes have come.
    var hasBegun: Bool { outer.hasBegun }

    /// True if any decoded bytes have come out.
    var hasProduced: Bool { (inner ?? outer).hasProduced }

    /// Hands what bytes hold to `emit`, in pieces, until it returns false, or `goesOn` does; see
    /// ``Inflater/inflate(_:while:_:)``.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        while goesOn: () -> Bool = { true },
        _ emit: (UnsafeRawBufferPointer) -> Bool
    ) -> Inflater.Outcome {
        guard let inner else { return outer.inflate(bytes, while: goesOn, emit) }
        var outcome = Inflater.Outcome.taken
        let outerOutcome = outer.inflate(bytes, while: goesOn) { piece in
            outcome = inner.inflate(piece, emit)
            return outcome == .taken
        }
        return outerOutcome == .stopped ? outcome : outerOutcome
    }
}
