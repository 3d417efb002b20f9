/// An order to a process that decodes one picture, as the one number that it is told.
public struct DecoderOrder: Hashable, Sendable {
    /// The most pixels that the longer side may have.
    public let workingSize: Int
    /// True if the picture is for people, in the colours that its profile means.
    public let isShown: Bool
    /// True if the picture comes row by row.
    public let isInRows: Bool
    /// True if the picture is as large as a copy of it is.
    public let isForCopy: Bool
    /// The most pixels of the longer side of a second picture, for people, which follows the first if
    /// that has a profile; nil for none.
    public let shownSide: Int?

    private static let shown: UInt32 = 1 << 31
    private static let second: UInt32 = 1 << 30
    private static let rows: UInt32 = 1 << 29
    private static let copy: UInt32 = 1 << 28
    /// With a second picture, the bits of the working size; those of the other side are above them.
    private static let sizeBits: UInt32 = 18

    /// An order of one picture; in rows it is for an engine.
    public init(workingSize: Int, isShown: Bool = false, isInRows: Bool = false, isForCopy: Bool = false) {
        self.workingSize = min(workingSize, Int(Self.copy - 1))
        self.isShown = isShown
        self.isInRows = isInRows
        self.isForCopy = isForCopy
        shownSide = nil
    }

    /// An order of a picture for an engine, and of a second one for people; of one alone if the sizes are
    /// none that an engine or a thumbnail has.
    public init(workingSize: Int, shownSide: Int?) {
        let isSmall = workingSize < 1 << Int(Self.sizeBits)
        self.workingSize = min(workingSize, Int(Self.copy - 1))
        isShown = false
        isInRows = false
        isForCopy = false
        self.shownSide = shownSide.flatMap { isSmall && (1..<4096).contains($0) ? $0 : nil }
    }

    /// Reads an order.
    public init(number: UInt32) {
        isShown = number & Self.shown != 0
        guard number & Self.second != 0 else {
            workingSize = Int(number & (Self.copy - 1))
            isInRows = number & Self.rows != 0
            isForCopy = number & Self.copy != 0
            shownSide = nil
            return
        }
        isInRows = false
        isForCopy = false
        workingSize = Int(number & (1 << Self.sizeBits - 1))
        shownSide = Int(number >> Self.sizeBits & 4095)
    }

    /// The number that stands for the order.
    public var number: UInt32 {
        let size =
            UInt32(workingSize) | (isShown ? Self.shown : 0) | (isInRows ? Self.rows : 0)
            | (isForCopy ? Self.copy : 0)
        return shownSide.map { size | UInt32($0) << Self.sizeBits | Self.second } ?? size
    }
}
