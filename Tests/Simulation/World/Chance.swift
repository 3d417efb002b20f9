import TestSupport

/// Random choices that depend on a seed and on what they are for, and on nothing that was chosen before.
///
/// So a history stays as it is but for what is taken out of it, and one that fails can be made smaller.
struct Chance {
    private var generator: SeededGenerator

    /// Choices for one purpose, such as the answer to a host's third request for a path.
    init(_ seed: UInt64, _ purpose: String, _ numbers: Int...) {
        // FNV-1a, since Swift's own hashes differ from run to run.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in purpose.utf8 { add(byte) }
        for number in numbers {
            for shift in stride(from: 0, to: 64, by: 8) {
                add(UInt8(truncatingIfNeeded: UInt64(bitPattern: Int64(number)) >> UInt64(shift)))
            }
        }
        generator = SeededGenerator(seed: seed ^ hash)
    }

    /// Returns a number in a range.
    mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }

    /// Returns an integer in a range.
    mutating func integer(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    /// Returns a number in a range of positive numbers, of which small ones are as likely as large ones.
    mutating func scaled(_ range: ClosedRange<Double>) -> Double {
        // By doublings, since logarithms of the C library may differ in their last bits.
        var (low, high) = (range.lowerBound, range.upperBound)
        while high > low * 2 {
            let middle = low * 2
            // As many doublings above as there are.
            var doublings = 1.0
            var reach = middle
            while reach < high { (reach, doublings) = (reach * 2, doublings + 1) }
            if happens(1 / doublings) { high = middle } else { low = middle }
        }
        return number(low...high)
    }

    /// Returns whether something happens that has this probability.
    mutating func happens(_ probability: Double) -> Bool { number(0...1) < probability }

    /// Returns one of the elements, which must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[integer(0...elements.count - 1)]
    }

    /// Returns a seed for something that makes choices of its own.
    mutating func seed() -> UInt64 { generator.next() }
}
