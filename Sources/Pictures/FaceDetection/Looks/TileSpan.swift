/// A part of one side of a picture: what is looked at, and where the middle of a face has to be to be
/// reported.
///
/// Parts reach into their neighbours, so that a face on a seam is whole in one of them; since its middle is in
/// one part only, it is reported once.
struct TileSpan: Hashable {
    /// The pixels that are looked at.
    let pixels: Range<Int>
    /// The pixels whose faces are reported.
    let core: Range<Int>
    private let length: Int

    /// Cuts a side into as few parts as there can be, none of which is longer than `longest` with a margin at
    /// either end.
    static func cut(_ length: Int, longest: Int, margin: Int) -> [TileSpan] {
        let room = max(1, longest - 2 * margin)
        let count = length <= longest ? 1 : (length + room - 1) / room
        return (0..<count).map { index in
            let core = length * index / count..<length * (index + 1) / count
            return TileSpan(
                pixels: max(0, core.lowerBound - margin)..<min(length, core.upperBound + margin),
                core: core,
                length: length
            )
        }
    }

    /// Returns whether this part reports a face with its middle there; beyond an edge of the picture the part
    /// at that edge does.
    func holds(_ middle: Double) -> Bool {
        (core.lowerBound == 0 || middle >= Double(core.lowerBound))
            && (core.upperBound == length || middle < Double(core.upperBound))
    }
}
