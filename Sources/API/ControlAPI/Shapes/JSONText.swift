import Vocabulary

/// A writer of JSON (RFC 8259) in UTF-8, value by value.
///
/// All shapes are written by it. Pages of jobs and frames of events are written by the thousand, and
/// Foundation's encoder takes ten to twenty times as long for each (`make bench ONLY=text`). Members are
/// in alphabetical order, as with that encoder's `sortedKeys`.
public struct JSONText: Sendable {
    /// The text written so far, including what it was appended to.
    public private(set) var bytes: [UInt8]
    private var isFirst = true

    public init(after bytes: [UInt8] = []) { self.bytes = bytes }

    /// Creates a writer with room for so many bytes.
    init(reserving count: Int) {
        bytes = []
        bytes.reserveCapacity(count)
    }

    /// Writes an object, whose members the closure writes, each with ``name(_:)`` and a value.
    mutating func object(_ members: (inout JSONText) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Writes an array.
    mutating func array<Element>(
        _ elements: some Collection<Element>,
        _ write: (Element, inout JSONText) -> Void
    ) {
        bytes.append(UInt8(ascii: "["))
        let start = bytes.count
        var isFirst = true
        for element in elements {
            if isFirst {
                isFirst = false
                write(element, &self)
                // A page that grows piece by piece is copied each time; what follows is about as long.
                if elements.count > 10 {
                    bytes.reserveCapacity(start + (bytes.count - start) * elements.count * 9 / 8)
                }
            } else {
                bytes.append(UInt8(ascii: ","))
                write(element, &self)
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes an array whose elements are JSON already, with commas between them.
    mutating func array(verbatim elements: [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        bytes.append(contentsOf: elements)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Begins a member of an object; its value must follow.
    mutating func name(_ name: String) { self.name(quoted: Self.quoted(name)) }

    /// Begins a member of an object, given its name as returned by ``quoted(_:)``; its value must
    /// follow.
    mutating func name(quoted name: [UInt8]) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(contentsOf: name)
    }

    /// Begins a member of an object, given a name of at most 36 bytes that needs no escapes; its value must follow.
    @inline(__always)
    mutating func name(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        // Together with what is around it, as to append takes longer than to copy; in the same memory for all, and
        // inlined, since the compiler then knows how much to copy.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { text in
            precondition(length <= 36)
            text[0] = UInt8(ascii: ",")
            text[1] = UInt8(ascii: "\"")
            for index in 0..<length { text[index + 2] = name.utf8Start[index] }
            text[length + 2] = UInt8(ascii: "\"")
            text[length + 3] = UInt8(ascii: ":")
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[(isFirst ? 1 : 0)..<length + 4]))
        }
        isFirst = false
    }

    /// Returns a member's name in quotes with the colon after it.
    static func quoted(_ name: String) -> [UInt8] { Array((JSONString.of(name) + ":").utf8) }

    /// Writes an integer.
    mutating func value(_ number: some BinaryInteger) {
        guard let number = Int64(exactly: number) else { return verbatim(String(number)) }
        // A String for each of the many coordinates of faces costs a tenth of a page.
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var (left, right) = (start, bytes.count - 1)
        while left < right {
            bytes.swapAt(left, right)
            (left, right) = (left + 1, right - 1)
        }
    }

    /// Writes a number.
    mutating func value(_ number: Double) {
        // JSON has no infinities or NaN (RFC 8259 §6).
        guard number.isFinite else { return null() }
        if let whole = Int64(exactly: number) { value(whole) } else { verbatim(String(number)) }
    }

    /// Writes a string.
    mutating func value(_ text: String) { JSONString.append(text, to: &bytes) }

    /// Writes a boolean.
    mutating func value(_ truth: Bool) { verbatim(truth ? "true" : "false") }

    /// Writes null.
    mutating func null() { verbatim("null") }

    /// Writes text that is JSON already.
    mutating func verbatim(_ json: String) { bytes.append(contentsOf: json.utf8) }
}
