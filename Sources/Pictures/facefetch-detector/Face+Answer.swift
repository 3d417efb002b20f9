import Vocabulary

extension Face {
    /// The face as an answer has it; four decimals are enough for a confidence.
    var answer: Face {
        var face = self
        face.confidence = (confidence * 10_000).rounded() / 10_000
        return face
    }
}

extension Duration {
    /// The duration in seconds, rounded to a tenth of a millisecond.
    var seconds: Double {
        let (whole, rest) = components
        return ((Double(whole) + Double(rest) / 1e18) * 10_000).rounded() / 10_000
    }
}
