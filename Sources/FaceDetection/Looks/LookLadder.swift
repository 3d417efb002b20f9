/// The sizes that a picture is looked at in, and the rule by which the next larger look is taken.
///
/// An engine finds faces from a certain size on, in pixels of what it looks at. In a large picture
/// that is shrunk for the first look, smaller ones are lost. A look that is twice as large costs four
/// times as much, so it is taken only where the one before says that it pays:
/// - There are faces almost too small for it, so that there may be some that are smaller. After the
///   first look one is enough; then they have to be a tenth of all, since crowds are worth the time,
///   and a stray face in the background isn't.
/// - Or the first look has seen nothing large. Whoever is photographed large fills a good part of the
///   picture; a large picture without such a face may be of many people, all too small to be seen.
///
/// `make crowds` and `make evaluate` measure what that gains, and costs.
public struct LookLadder: Hashable, Sendable {
    /// The version of the rule, of what engines take for sure in larger looks and of ``FaceMerge``, for
    /// ``FaceDetector/parameters``.
    public static let version = 3
    /// The longer sides that pictures are decoded to, ascending.
    let sizes: [Int]
    /// A face at most this wide, in pixels of a look, is almost too small for it.
    let small: Double
    /// A face at least this wide, in pixels of the first look, is large.
    let large: Double
    /// In a larger look, a face wider than this would have been seen before; what looks like one is none.
    let widest: Double
    /// The next look has to show this many times more pixels a side, or it isn't worth its time.
    static let leastGain = 1.5
    /// Of larger pictures only those looks are taken that are asked for: decoding one again may take
    /// longer than all looks.
    static let mostPixels = 250_000_000

    /// One look at a picture.
    struct Look {
        /// Which of the ladder's.
        var index: Int
        /// The longer side of what was looked at.
        var size: Int
        /// The longer side of the picture.
        var fullSize: Int
        /// The pixels of the picture.
        var fullPixels: Int
        /// Widths of what may be faces, in pixels of the look.
        var widths: [Double]
        /// Widths of those that are.
        var certainWidths: [Double]
    }

    /// The index of the next look to take; nil when there is none, or it wouldn't pay.
    func next(after look: Look, mode: SmallFaces) -> Int? {
        let next = look.index + 1
        guard mode != .off, next < sizes.count,
            Double(min(sizes[next], look.fullSize)) >= Double(look.size) * Self.leastGain
        else { return nil }
        if mode == .always { return next }
        guard look.fullPixels <= Self.mostPixels else { return nil }
        let small = look.widths.count { $0 <= self.small }
        if look.index == 0 {
            let hasLarge = look.certainWidths.contains { $0 >= large }
            return small > 0 || !hasLarge ? next : nil
        }
        return small > 0 && small * 10 >= look.widths.count ? next : nil
    }
}
