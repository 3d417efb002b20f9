import JobModel

/// Adding jobs to the gate.
extension DetectionGate {
    /// Puts a job's document at the end of its flow's line: to be looked at alone if the daemon has crashed while
    /// looking at it, and for its own sake if a person has asked for a detector.
    public mutating func enqueue(_ job: Job) {
        enqueue(
            job.id,
            mark: job.detectionDemand == nil ? job.sha256.flatMap(Self.mark(ofSHA256:)) : nil,
            alone: job.detectionAttempts > 0,
            priority: job.priority,
            of: job.flow,
            weight: job.weight
        )
    }

    /// Returns what documents are compared by, the first 32 bits of their SHA-256 in hex; nil if it is none.
    public static func mark(ofSHA256 text: String) -> Mark? {
        var text = text
        return text.withUTF8(mark(ofSHA256:))
    }

    /// Returns what documents are compared by, the first 32 bits of their SHA-256 in hex; nil if it is none.
    public static func mark(ofSHA256 text: UnsafeBufferPointer<UInt8>) -> Mark? {
        guard !text.isEmpty else { return nil }
        var mark: Mark = 0
        for byte in text.prefix(8) {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            mark = mark << 4 | Mark(digit)
        }
        return mark
    }
}
